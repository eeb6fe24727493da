/// The stored form of a document in SQLite: one flat JSON object as text.
///
/// The scanner is written for this study: one pass, no intermediate tree, strict enough to refuse
/// text that it can't read. It stands in for a fast general parser, so that a slow parser doesn't
/// slow down SQLite's rows.
package enum TaskJSON {
  package static func encode(_ document: SampleDocument) -> [UInt8] {
    let fields = document.fields.map { "\(quoted($0.name)):\(text(of: $0.value))" }
    return Array("{\(fields.joined(separator: ","))}".utf8)
  }

  private static func text(of value: SampleValue) -> String {
    switch value {
    case .integer(let integer): String(integer)
    case .boolean(let boolean): boolean ? "true" : "false"
    case .string(let string): quoted(string)
    case .strings(let strings): "[\(strings.map(quoted).joined(separator: ","))]"
    }
  }

  package static func encode(_ strings: [String]) -> String { text(of: .strings(strings)) }

  /// Returns the string in quotes. The sample data holds no character that JSON must escape.
  private static func quoted(_ string: String) -> String { "\"\(string)\"" }

  /// Decodes every field into a list.
  package static func decode(_ text: UnsafeRawBufferPointer) throws -> SampleDocument {
    var scanner = JSONScanner(text: text)
    var fields: [Field] = []
    fields.reserveCapacity(9)
    try scanner.expect("{")
    repeat {
      let name = try scanner.string()
      try scanner.expect(":")
      fields.append(Field(name: name, value: try scanner.value()))
    } while scanner.skip(",")
    try scanner.expect("}")
    return SampleDocument(fields: fields)
  }
}

private struct JSONScanner {
  let text: UnsafeRawBufferPointer
  var offset = 0

  init(text: UnsafeRawBufferPointer) {
    self.text = text
  }

  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard offset < text.count, text[offset] == UInt8(ascii: character) else { return false }
    offset += 1
    return true
  }

  mutating func expect(_ character: Unicode.Scalar) throws {
    guard skip(character) else {
      throw StudyError("JSON text lacks \(character) at byte \(offset)")
    }
  }

  mutating func string() throws -> String {
    try expect("\"")
    guard let end = text.offset(of: UInt8(ascii: "\""), from: offset) else {
      throw StudyError("JSON text has an open string")
    }
    let content = UnsafeRawBufferPointer(rebasing: text[offset..<end])
    guard content.offset(of: UInt8(ascii: "\\"), from: 0) == nil else {
      throw StudyError("JSON text has an escape")
    }
    offset = end + 1
    return String(decoding: content, as: UTF8.self)
  }

  mutating func value() throws -> SampleValue {
    guard offset < text.count else { throw StudyError("JSON text ends too early") }
    switch text[offset] {
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "["): return .strings(try strings())
    case UInt8(ascii: "t"):
      try word("true")
      return .boolean(true)
    case UInt8(ascii: "f"):
      try word("false")
      return .boolean(false)
    default: return .integer(try integer())
    }
  }

  private mutating func strings() throws -> [String] {
    try expect("[")
    var strings: [String] = []
    guard !skip("]") else { return strings }
    repeat { strings.append(try string()) } while skip(",")
    try expect("]")
    return strings
  }

  private mutating func integer() throws -> Int64 {
    let isNegative = skip("-")
    var magnitude: Int64 = 0
    let start = offset
    while offset < text.count, case let digit = text[offset] &- UInt8(ascii: "0"), digit < 10 {
      magnitude = magnitude &* 10 &+ Int64(digit)
      offset += 1
    }
    guard offset > start else { throw StudyError("JSON text has no value at byte \(start)") }
    return isNegative ? -magnitude : magnitude
  }

  private mutating func word(_ word: StaticString) throws {
    let isThere = word.withUTF8Buffer { text[offset...].starts(with: $0) }
    guard isThere else { throw StudyError("JSON text has an unknown word") }
    offset += word.utf8CodeUnitCount
  }
}
