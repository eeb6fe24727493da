/// A document parsed into its fields: one copy of its bytes, and the places of id and fields in
/// them.
///
/// A fast program reads rows like this: parsing makes two allocations, and a field becomes a Swift
/// value only when it is read. SQLite and LevelDB thus don't pay for strings that no caller reads,
/// as Hearth's documents don't either.
package struct ParsedDocument {
  private var bytes: [UInt8]
  private var fields: [Field] = []
  /// Place of the id's bytes, if an id was given.
  private var idStart: Int32 = 0
  private var idCount: Int32 = 0

  private enum Kind: UInt8 {
    case integer, boolean, string, strings, countedStrings
  }

  private struct Field {
    /// Place of the name's bytes, if the field is no column.
    var nameStart: Int32 = 0
    var nameCount: Int32 = 0
    var column: TaskField?
    /// Place of the value's bytes; for a list, of the bytes between its brackets.
    var start: Int32 = 0
    var count: Int32 = 0
    var integer: Int64 = 0
    var kind: Kind = .integer
  }

  /// Creates a document to which columns are appended.
  package init(id: UnsafeRawBufferPointer) {
    bytes = []
    bytes.reserveCapacity(400)
    fields.reserveCapacity(TaskField.allCases.count)
    append(id: id)
  }

  private mutating func append(id: UnsafeRawBufferPointer) {
    idStart = Int32(bytes.count)
    idCount = Int32(id.count)
    bytes.append(contentsOf: id)
  }

  /// Copies a stored form and the id, with one allocation.
  private mutating func copy(_ stored: UnsafeRawBufferPointer, id: UnsafeRawBufferPointer) {
    bytes.reserveCapacity(stored.count + id.count)
    bytes.append(contentsOf: stored)
    append(id: id)
  }

  package var fieldCount: Int { fields.count }

  package static var noBytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: nil, count: 0)
  }

  // MARK: Reading

  private func field(_ wanted: TaskField) throws -> Field {
    var name = wanted.rawValue
    let found = name.withUTF8 { name in
      bytes.withUnsafeBytes { bytes in
        fields.firstIndex { field in
          field.column.map { $0 == wanted }
            ?? bytes.holds(name, from: Int(field.nameStart), count: Int(field.nameCount))
        }
      }
    }
    guard let found else { throw StudyError("a stored task has no \(wanted)") }
    return fields[found]
  }

  private func field(_ wanted: TaskField, _ kind: Kind) throws -> Field {
    let field = try field(wanted)
    guard field.kind == kind else { throw StudyError("a stored task's \(wanted) is another type") }
    return field
  }

  package func integer(_ wanted: TaskField) throws -> Int64 { try field(wanted, .integer).integer }

  package func boolean(_ wanted: TaskField) throws -> Bool {
    try field(wanted, .boolean).integer != 0
  }

  package func string(_ wanted: TaskField) throws -> String {
    let field = try field(wanted, .string)
    return text(field.start, field.count)
  }

  /// The id. The string is made by this call, as for a field.
  package var id: String { text(idStart, idCount) }

  /// Returns the strings of a list. In JSON they are in quotes; in a record each has its byte
  /// count.
  package func strings(_ wanted: TaskField) throws -> [String] {
    let field = try field(wanted)
    if field.kind == .countedStrings { return try countedStrings(from: Int(field.start)) }
    guard field.kind == .strings else { throw StudyError("a stored task's \(wanted) is no list") }
    let words = text(field.start, field.count).split(separator: "\"")
    return words.filter { $0 != "," }.map(String.init)
  }

  private func text(_ start: Int32, _ count: Int32) -> String {
    bytes.withUnsafeBytes {
      String(
        decoding: UnsafeRawBufferPointer(rebasing: $0[Int(start)..<Int(start + count)]),
        as: UTF8.self)
    }
  }

  /// Returns the whole task.
  package func task(id: String) throws -> SampleTask {
    SampleTask(
      number: 0, id: id, title: try string(.title), priority: try integer(.priority),
      completed: try boolean(.completed), createdTime: try integer(.createdTime),
      userId: try string(.userId), listId: try string(.listId), tags: try strings(.tags),
      body: try string(.body))
  }

  // MARK: Columns

  package mutating func append(_ field: TaskField, _ integer: Int64) {
    var new = Field(column: field)
    new.integer = integer
    new.kind = field == .completed ? .boolean : .integer
    fields.append(new)
  }

  /// - Parameter text: a string, or the JSON text of a list.
  package mutating func append(_ field: TaskField, _ text: UnsafeRawBufferPointer) {
    var new = Field(column: field)
    let isList = field == .tags
    new.start = Int32(bytes.count) + (isList ? 1 : 0)
    new.count = Int32(text.count) - (isList ? 2 : 0)
    new.kind = isList ? .strings : .string
    bytes.append(contentsOf: text)
    fields.append(new)
  }
}

// MARK: - Records

extension ParsedDocument {
  /// Walks a record of `TaskRecord`'s form.
  package init(record: UnsafeRawBufferPointer, id: UnsafeRawBufferPointer = noBytes) throws {
    bytes = []
    copy(record, id: id)
    var reader = RecordReader(bytes: record)
    let fieldCount = Int(try reader.byte())
    fields.reserveCapacity(fieldCount)
    for _ in 0..<fieldCount {
      let nameCount = Int(try reader.byte())
      var field = Field(nameStart: Int32(reader.offset), nameCount: Int32(nameCount))
      try reader.skip(byteCount: nameCount)
      switch try reader.byte() {
      case 0:
        let folded = try reader.varint()
        field.integer = Int64(bitPattern: (folded >> 1) ^ (0 &- (folded & 1)))
      case 1: field.kind = .boolean
      case 2:
        field.kind = .boolean
        field.integer = 1
      case 3:
        field.kind = .string
        field.count = Int32(truncatingIfNeeded: try reader.varint())
        field.start = Int32(reader.offset)
        try reader.skip(byteCount: Int(field.count))
      case 4:
        field.kind = .countedStrings
        field.start = Int32(reader.offset)
        for _ in 0..<Int(truncatingIfNeeded: try reader.varint()) {
          try reader.skip(byteCount: Int(truncatingIfNeeded: try reader.varint()))
        }
      case let kind: throw StudyError("a record has a value of kind \(kind)")
      }
      fields.append(field)
    }
  }

  private func countedStrings(from start: Int) throws -> [String] {
    try bytes.withUnsafeBytes { bytes in
      var reader = RecordReader(bytes: UnsafeRawBufferPointer(rebasing: bytes[start...]))
      return try (0..<Int(try reader.varint())).map { _ in try reader.countedString() }
    }
  }
}

// MARK: - JSON

extension ParsedDocument {
  /// Parses a flat JSON object in one pass that goes from quote to quote.
  ///
  /// The sample data has no escapes; text with an escape is refused.
  package init(json: UnsafeRawBufferPointer, id: UnsafeRawBufferPointer = noBytes) throws {
    bytes = []
    copy(json, id: id)
    fields.reserveCapacity(TaskField.allCases.count)
    guard json.offset(of: UInt8(ascii: "\\"), from: 0) == nil else {
      throw StudyError("JSON text has an escape")
    }
    var parser = FieldParser(text: json)
    try parser.expect(UInt8(ascii: "{"))
    repeat {
      let name = try parser.quoted()
      try parser.expect(UInt8(ascii: ":"))
      var field = Field(nameStart: Int32(name.lowerBound), nameCount: Int32(name.count))
      switch parser.next {
      case UInt8(ascii: "\""):
        let range = try parser.quoted()
        field.start = Int32(range.lowerBound)
        field.count = Int32(range.count)
        field.kind = .string
      case UInt8(ascii: "["):
        let range = try parser.list()
        field.start = Int32(range.lowerBound)
        field.count = Int32(range.count)
        field.kind = .strings
      case UInt8(ascii: "t"), UInt8(ascii: "f"):
        field.integer = try parser.boolean() ? 1 : 0
        field.kind = .boolean
      default: field.integer = try parser.integer()
      }
      fields.append(field)
    } while parser.skip(UInt8(ascii: ","))
    try parser.expect(UInt8(ascii: "}"))
  }
}

/// A bounds-checked position in JSON text.
private struct FieldParser {
  let text: UnsafeRawBufferPointer
  private var offset = 0

  init(text: UnsafeRawBufferPointer) {
    self.text = text
  }

  var next: UInt8 { offset < text.count ? text[offset] : 0 }

  mutating func skip(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    offset += 1
    return true
  }

  mutating func expect(_ byte: UInt8) throws {
    guard skip(byte) else { throw StudyError("JSON text is malformed at byte \(offset)") }
  }

  /// Returns the range of the bytes between two quotes.
  mutating func quoted() throws -> Range<Int> {
    try expect(UInt8(ascii: "\""))
    return try range(to: UInt8(ascii: "\""))
  }

  /// Returns the range of the bytes between two brackets.
  mutating func list() throws -> Range<Int> {
    try expect(UInt8(ascii: "["))
    return try range(to: UInt8(ascii: "]"))
  }

  private mutating func range(to end: UInt8) throws -> Range<Int> {
    guard let found = text.offset(of: end, from: offset) else {
      throw StudyError("JSON text ends too early")
    }
    defer { offset = found + 1 }
    return offset..<found
  }

  mutating func boolean() throws -> Bool {
    let isTrue = next == UInt8(ascii: "t")
    for byte in isTrue ? "true".utf8 : "false".utf8 { try expect(byte) }
    return isTrue
  }

  mutating func integer() throws -> Int64 {
    let isNegative = skip(UInt8(ascii: "-"))
    let start = offset
    var magnitude: Int64 = 0
    while case let digit = next &- UInt8(ascii: "0"), digit < 10 {
      magnitude = magnitude &* 10 &+ Int64(digit)
      offset += 1
    }
    guard offset > start else { throw StudyError("JSON text has no value at byte \(offset)") }
    return isNegative ? -magnitude : magnitude
  }
}
