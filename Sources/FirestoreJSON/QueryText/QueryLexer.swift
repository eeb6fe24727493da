import HearthDocumentModel

/// Splits a query's text into tokens. Strings and numbers are JSON's. Strings may also be in single
/// quotes.
struct QueryLexer {
  let text: String
  private let bytes: [UInt8]
  private var offset: Int

  /// The symbols, each before the shorter ones that it begins with.
  private static let symbols = [
    "===", "!==", "&&", "||", "==", "!=", "<=", ">=", "<>", "=>", "=<", "<", ">", "=", "!", "&",
    "|", "(", ")", "[", "]", "{", "}", ",", ":",
  ]

  init(_ text: String, from offset: Int) {
    self.text = text
    self.offset = offset
    bytes = Array(text.utf8)
  }

  func error(_ message: String, at offset: Int) -> QueryTextError {
    QueryTextError(message, at: offset, in: text)
  }

  mutating func next() throws(QueryTextError) -> QueryToken {
    while let byte = byte(at: offset), isSpace(byte) { offset += 1 }
    let start = offset
    let kind = try readToken()
    return QueryToken(kind: kind, range: start..<offset)
  }

  private mutating func readToken() throws(QueryTextError) -> QueryToken.Kind {
    guard let first = byte(at: offset) else { return .end }
    switch first {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return .string(try readString())
    case UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try readNumber())
    case UInt8(ascii: "-"):
      if let infinity = readNegativeInfinity() { return .number(infinity) }
      return .number(try readNumber())
    case UInt8(ascii: "`"): return .name(try readNames())
    case _ where isWordPart(first): return .name(try readNames())
    default: break
    }
    for symbol in QueryLexer.symbols where bytes[offset...].starts(with: symbol.utf8) {
      offset += symbol.utf8.count
      return .symbol(symbol)
    }
    throw error("nothing in a query begins with this character", at: offset)
  }

  private func byte(at offset: Int) -> UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || (0x09...0x0D).contains(byte)
  }

  /// Whether the byte belongs to a word. Letters outside ASCII do, so that a name with them is
  /// refused as a whole.
  private func isWordPart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...0xFF:
      true
    default: false
    }
  }
}

extension QueryLexer {
  private mutating func readString() throws(QueryTextError) -> String {
    var reader = JSONReader(bytes.span, at: offset)
    do {
      let string = try reader.readString()
      offset = reader.offset
      return string
    } catch {
      throw self.error(error.message, at: error.offset)
    }
  }

  private mutating func readNumber() throws(QueryTextError) -> Value {
    let start = offset
    var reader = JSONReader(bytes.span, at: offset)
    let value: Value
    do {
      value = try reader.readNumber()
      offset = reader.offset
    } catch {
      throw self.error(error.message, at: error.offset)
    }
    // Examples are a bare 2026-01-31 and 3rd.
    if let next = byte(at: offset), isWordPart(next) || "-.".utf8.contains(next) {
      throw error(
        "this is no number: write a text in quotes, a time as timestamp(\"…\")", at: start)
    }
    return value
  }

  private mutating func readNegativeInfinity() -> Value? {
    let end = offset + "-Infinity".utf8.count
    guard bytes[offset...].starts(with: "-Infinity".utf8) else { return nil }
    if let next = byte(at: end), isWordPart(next) { return nil }
    offset = end
    return .double(-.infinity)
  }

  private mutating func readNames() throws(QueryTextError) -> [QueryToken.FieldName] {
    var names = [try readName()]
    while byte(at: offset) == UInt8(ascii: ".") {
      offset += 1
      names.append(try readName())
    }
    return names
  }

  private mutating func readName() throws(QueryTextError) -> QueryToken.FieldName {
    let start = offset
    if byte(at: offset) == UInt8(ascii: "`") { return try readQuotedName() }
    // A hyphen belongs to a word such as array-contains, but not to a field's name.
    while let next = byte(at: offset), isWordPart(next) || (next == 0x2D && offset > start) {
      offset += 1
    }
    guard offset > start else { throw error("a field name is missing here", at: offset) }
    return QueryToken.FieldName(
      text: String(decoding: bytes[start..<offset], as: UTF8.self), isQuoted: false)
  }

  private mutating func readQuotedName() throws(QueryTextError) -> QueryToken.FieldName {
    let start = offset
    var name: [UInt8] = []
    offset += 1
    while var byte = byte(at: offset) {
      offset += 1
      if byte == UInt8(ascii: "`") {
        return QueryToken.FieldName(text: String(decoding: name, as: UTF8.self), isQuoted: true)
      }
      if byte == UInt8(ascii: "\\"), let escaped = self.byte(at: offset) {
        byte = escaped
        offset += 1
      }
      name.append(byte)
    }
    throw error("this backtick is never closed", at: start)
  }
}
