import HearthDocumentModel
import HearthStorageFormat
import TestSupport
import Testing

@Suite struct StoredFieldsTests {
  private static let path = ResourcePath(unchecked: ["tasks", "one"])

  private func record(_ fields: MapValue) throws -> DocumentRecord {
    try DocumentRecord(fields, of: Self.path, own: .default)
  }

  /// Compares the value at `place`, and all values below it, with `value`; `steps` lead to it.
  private func expect(
    _ value: Value, at place: Int, _ steps: [PlaceStep], in stored: StoredFields
  ) throws {
    #expect(try stored.value(at: place, own: .default) == value)
    #expect(try stored.way(to: place) == steps)
    switch value {
    case .map(let fields):
      let map = try #require(try stored.map(at: place))
      #expect(map.count == fields.count)
      #expect(map.place == place)
      for (index, field) in fields.enumerated() {
        #expect(try map.name(at: index, in: stored).utf8.elementsEqual(field.name.utf8))
        let inner = try #require(map.place(of: FieldName(field.name), in: stored))
        #expect(inner == map.place(at: index))
        try expect(field.value, at: inner, steps + [.field(field.name)], in: stored)
      }
      for name in ["", "zz", "a\u{0}", "abcdefghi"] where fields[name] == nil {
        #expect(map.place(of: FieldName(name), in: stored) == nil)
      }
    case .array(let elements):
      var array = try #require(try stored.array(at: place))
      #expect(array.count == elements.count)
      for (index, element) in elements.enumerated() {
        #expect(array.index == index)
        try expect(element, at: array.next, steps + [.element(index)], in: stored)
        try array.pass(in: stored)
      }
      #expect(array.index == array.count)
    default:
      #expect(try stored.map(at: place) == nil)
      #expect(try stored.array(at: place) == nil)
    }
  }

  @Test func placesLeadToTheValues() throws {
    var random = SplitMix64(seed: GeneratedCases.seed())
    let values = ValueGenerator(makesLongValues: false)
    for _ in 0..<GeneratedCases.count(per: 10) {
      let fields = values.fields(using: &random)
      let stored = try record(fields).storedFields
      try expect(.map(fields), at: stored.root, [], in: stored)
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
    let stored = try record(fields).storedFields
    try expect(.map(fields), at: stored.root, [], in: stored)
  }

  @Test func namesAreComparedByTheirBytes() throws {
    let stored = try record(["\u{E9}": 1, "e\u{301}": 2, "a\u{0}": 3, "a": 4]).storedFields
    let map = try #require(try stored.map(at: stored.root))
    for (name, value) in [("\u{E9}", 1), ("e\u{301}", 2), ("a\u{0}", 3), ("a", 4)] {
      let place = try #require(map.place(of: FieldName(name), in: stored))
      #expect(try stored.integer(at: place) == Int64(value))
    }
    #expect(map.place(of: FieldName("a\u{0}\u{0}"), in: stored) == nil)
  }

  /// Few fields, of one length and with the same first bytes.
  @Test func namesThatBeginAlikeAreApart() throws {
    let stored = try record(["createdTime1": 1, "createdTime2": 2]).storedFields
    let map = try #require(try stored.map(at: stored.root))
    let place = try #require(map.place(of: FieldName("createdTime2"), in: stored))
    #expect(try stored.integer(at: place) == 2)
    #expect(map.place(of: FieldName("createdTime3"), in: stored) == nil)
  }

  @Test func aFieldIsFoundByItsPath() throws {
    let stored = try record(["a": ["b": ["c": true]], "d": 1]).storedFields
    let place = try #require(try stored.place(of: FieldPath("a.b.c")))
    #expect(try stored.boolean(at: place) == true)
    #expect(try stored.place(of: FieldPath("a.x")) == nil)
    #expect(try stored.place(of: FieldPath("d.x")) == nil)
  }

  @Test func anotherTypeIsNil() throws {
    let stored = try record(["a": "text"]).storedFields
    let place = try #require(try stored.place(of: FieldPath("a")))
    #expect(try stored.string(at: place) == "text")
    #expect(try stored.kind(at: place) == .string)
    #expect(try stored.integer(at: place) == nil)
    #expect(try stored.double(at: place) == nil)
    #expect(try stored.boolean(at: place) == nil)
    #expect(try stored.timestamp(at: place) == nil)
    #expect(try stored.geoPoint(at: place) == nil)
    #expect(try stored.vector(at: place) == nil)
    #expect(try stored.reference(at: place, own: .default) == nil)
    #expect(try stored.withBytes(at: place) { $0.count } == nil)
    #expect(try !stored.isNull(at: place))
    #expect(try stored.string(at: stored.root) == nil)
    #expect(try stored.kind(at: stored.root) == .map)
  }

  /// Every read of damaged bytes throws or returns a result; none stops the process.
  @Test func damagedBytesAreRefusedOrRead() throws {
    var random = SplitMix64(seed: GeneratedCases.seed())
    let values = ValueGenerator(makesLongValues: false)
    var refusedCount = 0
    for _ in 0..<GeneratedCases.count {
      var bytes = try record(values.fields(using: &random)).bytes
      let index = Int.random(in: 0..<bytes.count, using: &random)
      bytes[index] = random.pick([0, 1, 13, 0x7F, 0x80, 0xFF])
      do {
        let stored = try DocumentRecord(bytes, own: .default).storedFields
        try readAll(at: stored.root, of: stored)
      } catch {
        #expect(error is CorruptBytes)
        refusedCount += 1
      }
    }
    guard GeneratedCases.areMany() else { return }
    #expect(refusedCount > GeneratedCases.count / 10)
  }

  private func readAll(at place: Int, of stored: StoredFields) throws {
    _ = try stored.kind(at: place)
    if let map = try stored.map(at: place) {
      for index in 0..<map.count {
        _ = try map.name(at: index, in: stored)
        try readAll(at: map.place(at: index), of: stored)
      }
    } else if var array = try stored.array(at: place) {
      while array.index < array.count {
        try readAll(at: array.next, of: stored)
        try array.pass(in: stored)
      }
    } else {
      _ = try stored.value(at: place, own: .default)
      _ = try stored.way(to: place)
    }
  }
}
