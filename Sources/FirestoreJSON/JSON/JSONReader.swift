// JSON strictly by RFC 8259: one value, in valid UTF-8, without comments. Trailing commas are
// accepted only where the protocol allows them.
//
// Hearth has its own reader because the available decoders lose parts of documents. Foundation's go
// through a dictionary of Swift strings, where "é" as one code point and as two is one key, so that
// one of two fields is lost. They also convert each number to the type that the caller guesses,
// which hides whether it was written as an integer.

/// Reads JSON from bytes. The bytes must outlive the reader.
struct JSONReader: ~Escapable {
  /// The deepest nesting of arrays and objects. The deepest document needs less, although a typed
  /// map takes three levels.
  static let maximumDepth = 100

  let bytes: Span<UInt8>
  /// The offset of the next byte.
  var offset: Int
  /// Whether a comma may follow the last member or element.
  var takesTrailingCommas = false

  @_lifetime(copy bytes)
  init(_ bytes: Span<UInt8>, at offset: Int = 0) {
    self.bytes = bytes
    self.offset = offset
  }

  /// Reads the single value that makes up all of the bytes.
  mutating func readWhole<T: JSONBuildable>(as type: T.Type) throws(JSONError) -> T {
    let value = try readValue(as: type, depth: 0)
    skipWhitespace()
    guard offset == bytes.count else {
      throw error("expected the end after the value, found \(found)")
    }
    return value
  }

  private mutating func readValue<T: JSONBuildable>(
    as type: T.Type, depth: Int
  ) throws(JSONError) -> T {
    skipWhitespace()
    switch nextByte {
    case UInt8(ascii: "\""): return .string(try readString())
    case UInt8(ascii: "{"): return .object(try readMembers(depth: depth + 1))
    case UInt8(ascii: "["): return .array(try readElements(depth: depth + 1))
    case UInt8(ascii: "-"), (UInt8(ascii: "0")...UInt8(ascii: "9"))?: return try readNumber()
    case UInt8(ascii: "t"):
      try skip(word: "true")
      return .boolean(true)
    case UInt8(ascii: "f"):
      try skip(word: "false")
      return .boolean(false)
    case UInt8(ascii: "n"):
      try skip(word: "null")
      return .null
    default: throw error("expected a value, found \(found)")
    }
  }

  private mutating func readMembers<T: JSONBuildable>(
    depth: Int
  ) throws(JSONError) -> [(String, T)] {
    try enter(depth)
    var members: [(String, T)] = []
    if skips(UInt8(ascii: "}")) { return members }
    repeat {
      skipWhitespace()
      if takesTrailingCommas, !members.isEmpty, nextByte == UInt8(ascii: "}") { break }
      guard nextByte == UInt8(ascii: "\"") else {
        throw error("expected a name in double quotes, found \(found)")
      }
      let name = try readString()
      guard skips(UInt8(ascii: ":")) else { throw error("expected \":\", found \(found)") }
      members.append((name, try readValue(as: T.self, depth: depth)))
    } while skips(UInt8(ascii: ","))
    guard skips(UInt8(ascii: "}")) else { throw error("expected \",\" or \"}\", found \(found)") }
    return members
  }

  private mutating func readElements<T: JSONBuildable>(depth: Int) throws(JSONError) -> [T] {
    try enter(depth)
    var elements: [T] = []
    if skips(UInt8(ascii: "]")) { return elements }
    repeat {
      skipWhitespace()
      if takesTrailingCommas, !elements.isEmpty, nextByte == UInt8(ascii: "]") { break }
      elements.append(try readValue(as: T.self, depth: depth))
    } while skips(UInt8(ascii: ","))
    guard skips(UInt8(ascii: "]")) else { throw error("expected \",\" or \"]\", found \(found)") }
    return elements
  }

  private mutating func enter(_ depth: Int) throws(JSONError) {
    guard depth <= JSONReader.maximumDepth else {
      throw error("nested deeper than \(JSONReader.maximumDepth) levels")
    }
    offset += 1
  }

  private mutating func skip(word: StaticString) throws(JSONError) {
    let start = offset
    for index in 0..<word.utf8CodeUnitCount {
      guard nextByte == word.utf8Start[index] else {
        offset = start
        throw error("expected a value, found \(found)")
      }
      offset += 1
    }
  }

  /// Skips white space, and then `byte` if it is next. Returns whether it was.
  private mutating func skips(_ byte: UInt8) -> Bool {
    skipWhitespace()
    guard nextByte == byte else { return false }
    offset += 1
    return true
  }

  private mutating func skipWhitespace() {
    while offset < bytes.count {
      switch bytes[offset] {
      case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"):
        offset += 1
      default: return
      }
    }
  }
}

extension JSONReader {
  /// The next byte; `nil` at the end.
  var nextByte: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  func error(_ message: String, at offset: Int? = nil) -> JSONError {
    JSONError(message, at: offset ?? self.offset, in: bytes)
  }

  /// The character at the offset, for an error's text.
  private var found: String {
    var encoded: [UInt8] = []
    for index in offset..<max(offset, min(offset + 4, bytes.count)) { encoded.append(bytes[index]) }
    guard let first = String(decoding: encoded, as: UTF8.self).unicodeScalars.first else {
      return "the end"
    }
    return first.value < 0x20 ? "a control character" : "\"\(first)\""
  }
}
