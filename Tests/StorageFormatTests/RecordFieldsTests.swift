import HearthDocumentModel
import HearthStorageFormat
import TestSupport
import Testing

@Suite struct RecordFieldsTests {
  private static let path = ResourcePath(unchecked: ["tasks", "one"])

  /// Makes a record, which may note the places of its fields.
  private func stored(
    _ fields: MapValue, notingFields: Bool = false
  ) throws -> DocumentRecord {
    let record = try DocumentRecord(fields, of: Self.path, own: .default)
    return try DocumentRecord(record.bytes, own: .default, notingFields: notingFields)
  }

  private func found(_ name: String, in map: FieldPlaces, _ record: DocumentRecord) -> Int? {
    map.index(of: FieldName(name), in: record.bytes).map { map.place(at: $0) }
  }

  /// Compares the value at `place`, and all values below it, with `value`; `steps` lead to it.
  private func expect(
    _ value: Value, at place: Int, _ steps: [PlaceStep], in record: DocumentRecord
  ) throws {
    #expect(try record.value(at: place) == value)
    #expect(try record.way(to: place) == steps)
    switch value {
    case .map(let fields):
      let map = try #require(try record.map(at: place))
      #expect(map.count == fields.count)
      #expect(map.place == place)
      for (index, field) in fields.enumerated() {
        #expect(try map.name(at: index, in: record.bytes).utf8.elementsEqual(field.name.utf8))
        let inner = try #require(found(field.name, in: map, record))
        #expect(inner == map.place(at: index))
        try expect(field.value, at: inner, steps + [.field(field.name)], in: record)
      }
      for name in ["", "zz", "a\u{0}", "abcdefghi"] where fields[name] == nil {
        #expect(found(name, in: map, record) == nil)
      }
    case .array(let elements):
      var array = try #require(try record.array(at: place))
      #expect(array.count == elements.count)
      for (index, element) in elements.enumerated() {
        #expect(array.index == index)
        try expect(element, at: array.next, steps + [.element(index)], in: record)
        try array.pass(in: record)
      }
      #expect(array.index == array.count)
    default:
      #expect(try record.map(at: place) == nil)
      #expect(try record.array(at: place) == nil)
    }
  }

  @Test func placesLeadToTheValues() throws {
    var random = SplitMix64(seed: GeneratedCases.seed())
    let values = ValueGenerator(makesLongValues: false)
    for _ in 0..<GeneratedCases.count(per: 10) {
      let fields = values.fields(using: &random)
      let record = try stored(fields, notingFields: random.oneIn(2))
      try expect(.map(fields), at: record.root, [], in: record)
    }
  }

  /// More fields than are tried one by one, with names that agree in their first bytes.
  @Test func largeMapsFindTheirFields() throws {
    var fields = MapValue()
    for number in 0..<200 {
      fields["a-long-name-\(number)"] = .integer(Int64(number))
      fields[String(repeating: "n", count: number)] = .boolean(true)
    }
    fields[""] = nil
    let record = try stored(fields)
    try expect(.map(fields), at: record.root, [], in: record)
  }

  @Test func namesAreComparedByTheirBytes() throws {
    let record = try stored(["\u{E9}": 1, "e\u{301}": 2, "a\u{0}": 3, "a": 4])
    let map = try #require(try record.map(at: record.root))
    for (name, value) in [("\u{E9}", 1), ("e\u{301}", 2), ("a\u{0}", 3), ("a", 4)] {
      let place = try #require(found(name, in: map, record))
      #expect(try record.integer(at: place) == Int64(value))
    }
    #expect(found("a\u{0}\u{0}", in: map, record) == nil)
  }

  /// Few fields, of one length and with the same first bytes.
  @Test func namesThatBeginAlikeAreApart() throws {
    let record = try stored(["createdTime1": 1, "createdTime2": 2])
    let map = try #require(try record.map(at: record.root))
    let place = try #require(found("createdTime2", in: map, record))
    #expect(try record.integer(at: place) == 2)
    #expect(found("createdTime3", in: map, record) == nil)
  }

  @Test(arguments: [false, true])
  func aFieldIsFoundByItsPath(_ notesFields: Bool) throws {
    let record = try stored(["a": ["b": ["c": true]], "d": 1], notingFields: notesFields)
    let place = try #require(try record.place(of: FieldPath("a.b.c")))
    #expect(try record.boolean(at: place) == true)
    #expect(try record.place(of: FieldPath("a.x")) == nil)
    #expect(try record.place(of: FieldPath("d.x")) == nil)
  }

  /// A name that needs backticks is no text of a path, though a field may have it.
  @Test(arguments: [false, true])
  func onlyPlainNamesAreTextsOfPaths(_ notesFields: Bool) throws {
    var fields: MapValue = ["a": 1, "a.b": 2, "createdTime": 3, "createdTimes of it": 4]
    for number in 0..<20 { fields["f\(number)"] = .integer(Int64(number)) }
    for fields in [fields, ["a": 1, "a.b": 2, "createdTime": 3, "createdTimes of it": 4]] {
      let record = try stored(fields, notingFields: notesFields)
      #expect(try record.value(ofPlainName: "a") == 1)
      #expect(try record.value(ofPlainName: "createdTime") == 3)
      for name in ["a.b", "createdTimes of it", "createdTimf", "b", ""] {
        #expect(try record.value(ofPlainName: name) == nil, "\(name)")
      }
      #expect(try record.value(at: FieldPath(unchecked: ["a.b"])) == 2)
    }
  }

  @Test func notedFieldsCountAsMemory() throws {
    let fields: MapValue = ["a": 1, "b": 2]
    let record = try stored(fields, notingFields: true)
    #expect(try record.memoryByteCount >= stored(fields).memoryByteCount + 2 * 8)
  }

  /// A number in more bytes than it needs is passed by reads of other fields, and reported by its
  /// own.
  @Test(arguments: [true, false])
  func aNumberInTooManyBytesIsReportedWhereItIsRead(_ notingFields: Bool) throws {
    let text = Value.string("a text behind the number")
    var bytes = try stored(["a": 0, "b": text]).byteArray
    let place = try #require(try stored(["a": 0, "b": text]).place(of: FieldPath("a")))
    #expect(bytes[place..<place + 2] == [ValueTag.integer.rawValue, 0])
    bytes.replaceSubrange(place + 1...place + 1, with: [0x80, 0])
    let record = try DocumentRecord(bytes.span.bytes, own: .default, notingFields: notingFields)
    #expect(try record.value(ofPlainName: "b") == text)
    #expect(throws: CorruptBytes.self) { try record.value(ofPlainName: "a") }
    #expect(throws: CorruptBytes.self) { try record.fields() }
  }

  @Test(arguments: [2046, 2047, 5000])
  func longNamesAreFound(_ byteCount: Int) throws {
    let name = String(repeating: "n", count: byteCount)
    let record = try stored(["a": 1, name: 2], notingFields: true)
    #expect(try record.value(ofPlainName: name) == 2 && record.value(ofPlainName: "a") == 1)
    #expect(try record.value(ofPlainName: name + "n") == nil)
  }

  @Test func anotherTypeIsNil() throws {
    let record = try stored(["a": "text"])
    let place = try #require(try record.place(of: FieldPath("a")))
    #expect(try record.string(at: place) == "text")
    #expect(try record.tag(at: place) == .string)
    #expect(try record.integer(at: place) == nil)
    #expect(try record.double(at: place) == nil)
    #expect(try record.boolean(at: place) == nil)
    #expect(try record.timestamp(at: place) == nil)
    #expect(try record.geoPoint(at: place) == nil)
    #expect(try record.vector(at: place) == nil)
    #expect(try record.reference(at: place) == nil)
    #expect(try record.withBytes(at: place) { $0.count } == nil)
    #expect(try !record.isNull(at: place))
    #expect(try record.string(at: record.root) == nil)
    #expect(try record.tag(at: record.root) == .map)
  }

  /// Every read of damaged bytes throws or returns a result; none stops the process.
  @Test func damagedBytesAreRefusedOrRead() throws {
    var random = SplitMix64(seed: GeneratedCases.seed())
    let values = ValueGenerator(makesLongValues: false)
    var refusedCount = 0
    for _ in 0..<GeneratedCases.count {
      var bytes = try stored(values.fields(using: &random)).byteArray
      let index = Int.random(in: 0..<bytes.count, using: &random)
      bytes[index] = random.pick([0, 1, 13, 0x7F, 0x80, 0xFF])
      let notesFields = random.oneIn(2)
      do {
        let record = try DocumentRecord(
          bytes.span.bytes, own: .default, notingFields: notesFields)
        for name in ["a", "b", "createdTime"] { _ = try record.value(ofPlainName: name) }
        try readAll(at: record.root, of: record)
      } catch {
        #expect(error is CorruptBytes)
        refusedCount += 1
      }
    }
    guard GeneratedCases.areMany() else { return }
    #expect(refusedCount > GeneratedCases.count / 10)
  }

  private func readAll(at place: Int, of record: DocumentRecord) throws {
    _ = try record.tag(at: place)
    if let map = try record.map(at: place) {
      for index in 0..<map.count {
        _ = try map.name(at: index, in: record.bytes)
        try readAll(at: map.place(at: index), of: record)
      }
    } else if var array = try record.array(at: place) {
      while array.index < array.count {
        try readAll(at: array.next, of: record)
        try array.pass(in: record)
      }
    } else {
      _ = try record.value(at: place)
      _ = try record.way(to: place)
    }
  }
}
