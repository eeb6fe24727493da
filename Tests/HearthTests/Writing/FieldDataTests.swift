import Hearth
import Testing

/// The effect of the data of a write (§7.1, §7.3).
@Suite struct FieldDataTests {
  private let database: Database
  private let tokyo: DocumentReference

  init() throws {
    database = try Database.inMemory()
    tokyo = try database.document("cities/tokyo")
  }

  private func fields() throws -> MapValue? { try tokyo.getDocument().data() }

  // MARK: Literals and variables

  @Test func literalsAndVariablesOfEveryTypeAreValues() throws {
    let name = "Tokyo"
    let point = try GeoPoint(latitude: 35.7, longitude: 139.7)
    let time = try Timestamp(seconds: 1, nanoseconds: 0)
    let stored: MapValue = ["zip": "100"]
    try tokyo.setData([
      "string": "a", "integer": 1, "double": 1.5, "boolean": true, "null": .null,
      "array": [1, "b", ["c": 2]], "map": ["d": ["e": 3]],
      "variables": [
        "string": .string(name), "integer": .integer(2), "double": .double(2),
        "boolean": .boolean(false), "timestamp": .timestamp(time), "bytes": .bytes([1, 2]),
        "geoPoint": .geoPoint(point), "reference": .reference(try tokyo.name()),
        "array": .array([.string(name)]), "vector": .vector([1, 2]), "map": .map(stored),
        "value": .value(.string(name)),
      ],
    ])
    let variables: MapValue = [
      "string": "Tokyo", "integer": 2, "double": 2.0, "boolean": false,
      "timestamp": .timestamp(time),
      "bytes": .bytes([1, 2]), "geoPoint": .geoPoint(point),
      "reference": .reference(try tokyo.name()),
      "array": ["Tokyo"], "vector": .vector([1, 2]), "map": ["zip": "100"], "value": "Tokyo",
    ]
    #expect(
      try fields() == [
        "string": "a", "integer": 1, "double": 1.5, "boolean": true, "null": .null,
        "array": [1, "b", ["c": 2]], "map": ["d": ["e": 3]], "variables": .map(variables),
      ])
  }

  @Test func fieldsAsTheyWereReadAreWrittenAgain() throws {
    let read: MapValue = ["a.b": 1, "c": ["d": 2]]
    try tokyo.create(read)
    #expect(try fields() == read)
    try tokyo.setData(read)
    try tokyo.setData(["c": ["e": 3]] as MapValue, merge: true)
    #expect(try fields() == ["a.b": 1, "c": ["d": 2, "e": 3]])
    try tokyo.updateData(["c.d": 4] as MapValue)
    #expect(try fields() == ["a.b": 1, "c": ["d": 4, "e": 3]])
    let copy = try tokyo.parent.addDocument(read)
    #expect(try copy.getDocument().data() == read)
    var batch = database.batch()
    batch.setData(read, for: tokyo)
    batch.updateData(["c": 1] as MapValue, for: tokyo)
    try batch.commit()
    #expect(try fields() == ["a.b": 1, "c": 1])
    var changed = FieldData(read)
    changed["n"] = .increment(1)
    try tokyo.setData(changed)
    #expect(try fields() == ["a.b": 1, "c": ["d": 2], "n": 1])
  }

  @Test func dataIsBuiltUpByName() {
    var data: FieldData = ["a": 1, "b": .increment(1)]
    data["b"] = .delete
    data["c"] = "x"
    data["a"] = nil
    data["none"] = nil
    #expect(data == ["b": .delete, "c": "x"])
    #expect(data["b"] == .delete)
    #expect(data["a"] == nil)
    // Two names for people, one for Swift's strings.
    data["\u{e9}"] = 1
    data["e\u{301}"] = 2
    #expect(data.fields.count == 4)
    #expect(FieldData().isEmpty)
  }

  @Test func numbersOfEveryWidthAreOperands() throws {
    try tokyo.setData([
      "a": .increment(Int64.max), "b": .increment(UInt8.max), "c": .maximum(Float(0.5)),
      "d": .minimum(-1), "e": .increment(0.25),
    ])
    #expect(try fields() == ["a": .integer(.max), "b": 255, "c": 0.5, "d": -1, "e": 0.25])
  }

  // MARK: Merging

  @Test func mergingSetsLeavesAndRemovesDeletedOnes() throws {
    try tokyo.setData(["a": ["b": 1, "c": 2, "d": ["e": 3]], "f": 4, "g": [1, 2], "h": ["i": 5]])
    try tokyo.setData(
      ["a": ["b": .delete, "d": ["e": .increment(1), "x": 9]], "f": .delete, "g": [3], "h": [:]],
      merge: true)
    #expect(try fields() == ["a": ["c": 2, "d": ["e": 4, "x": 9]], "g": [3], "h": [:]])
  }

  @Test func aMapOfTransformsAloneKeepsItsOtherFieldsInAMergeOnly() throws {
    try tokyo.setData(["a": ["x": 1]])
    try tokyo.setData(["a": ["n": .increment(1)]], merge: true)
    #expect(try fields() == ["a": ["n": 1, "x": 1]])
    try tokyo.updateData(["a.n": .increment(1)])
    #expect(try fields() == ["a": ["n": 2, "x": 1]])
    try tokyo.updateData(["a": ["n": .increment(5)]])
    #expect(try fields() == ["a": ["n": 5]])
    try tokyo.setData(["a": ["b": ["n": .increment(5)]]])
    #expect(try fields() == ["a": ["b": ["n": 5]]])
  }

  @Test func namesAreLiteralButInUpdates() throws {
    try tokyo.setData(["a.b": 1, "c": ["d.e": .increment(1)]])
    try tokyo.setData(["a.b": .delete, "c": ["d.e": .increment(1), "f.g": 2]], merge: true)
    #expect(try fields() == ["c": ["d.e": 2, "f.g": 2]])
    try tokyo.updateData(["c.`d.e`": .delete, "c.h": ["i.j": 1]])
    #expect(try fields() == ["c": ["f.g": 2, "h": ["i.j": 1]]])
    try tokyo.updateData([(FieldPath(names: ["c", "f.g"]), .delete)])
    #expect(try fields() == ["c": ["h": ["i.j": 1]]])
  }

  @Test func mergeFieldsTakeNothingElse() throws {
    try tokyo.setData(["a": ["b": 1, "c": 2], "d": 3, "n": 1, "old": true])
    try tokyo.setData(
      ["a": ["b": 7, "x": 8], "d": 9, "n": .increment(1), "m": .increment(1), "old": .delete],
      mergeFields: ["a.b", "n", "old", "n"])
    #expect(try fields() == ["a": ["b": 7, "c": 2], "d": 3, "n": 2])
    try tokyo.setData(["a": ["x": 8, "m": .increment(1)]], mergeFields: ["a"])
    #expect(try fields() == ["a": ["m": 1, "x": 8], "d": 3, "n": 2])
    try tokyo.setData(["a": 1], mergeFields: [])
    #expect(try fields() == ["a": ["m": 1, "x": 8], "d": 3, "n": 2])
    let missing = failure { try tokyo.setData(["a": 1, "b": 2], mergeFields: ["a", "b.c"]) }
    #expect(missing?.code == .invalidArgument)
    #expect(
      missing?.message
        == "Field 'b.c' is specified in your field mask but missing from your input data.")
    #expect(code { try tokyo.setData(["a": 1], mergeFields: ["a..b"]) } == .invalidArgument)
  }

  // MARK: Refusals

  private func message(_ body: () throws -> Void) -> String? {
    let failure = failure(of: body)
    #expect(failure?.code == .invalidArgument)
    return failure?.message
  }

  @Test func aFieldIsDeletedOnlyWhereDataIsMerged() throws {
    let plain =
      "FieldValue.delete() can only be used with updateData() and setData() with merge:true"
    #expect(
      message { try tokyo.setData(["a": ["b": .delete]]) } == plain + " (found in field a.b)")
    #expect(message { try tokyo.create(["a": .delete]) } == plain + " (found in field a)")
    let nested = "FieldValue.delete() can only appear at the top level of your update data"
    #expect(
      message { try tokyo.updateData(["a.b": ["c": .delete]]) }
        == nested + " (found in field a.b.c)")
    #expect(try !tokyo.getDocument().exists)
  }

  @Test func aNameStandsOnce() throws {
    let twice = "Field \"a\" was specified multiple times."
    #expect(message { try tokyo.setData(["a": 1, "a": 2]) } == twice)
    #expect(message { try tokyo.setData(["a": 1, "a": .increment(2)], merge: true) } == twice)
    #expect(
      message { try tokyo.create(["b": ["a": 1, "a": 2]]) }
        == "Field \"b.a\" was specified multiple times.")
    try tokyo.setData([:])
    #expect(message { try tokyo.updateData(["a": 1, "a.b": .increment(1)]) } == twice)
    #expect(message { try tokyo.updateData(["a.b": 1, "b": 1, "a": .delete]) } == twice)
    #expect(try fields() == [:])
  }

  @Test func namesThatNoFieldHasAreRefused() throws {
    try tokyo.setData([:])
    for name in ["", "__a__"] {
      #expect(code { try tokyo.setData([name: .increment(1)]) } == .invalidArgument)
      #expect(code { try tokyo.setData(["a": [name: .increment(1)]]) } == .invalidArgument)
      #expect(code { try tokyo.setData([name: .delete], merge: true) } == .invalidArgument)
      #expect(code { try tokyo.setData([name: 1], merge: true) } == .invalidArgument)
      #expect(code { try tokyo.updateData([name: .increment(1)]) } == .invalidArgument)
    }
    #expect(code { try tokyo.setData(["__name__": .increment(1)]) } == .invalidArgument)
    #expect(code { try tokyo.setData(["a": .arrayUnion([[1]])]) } == .invalidArgument)
  }

  @Test func dataWithoutEndIsRefused() throws {
    var data: FieldData = ["a": .increment(1)]
    for _ in 0..<1_000 { data = ["a": .map(data)] }
    #expect(code { try tokyo.setData(data) } == .invalidArgument)
    #expect(code { try tokyo.setData(data, merge: true) } == .invalidArgument)
    try tokyo.setData([:])
    #expect(code { try tokyo.updateData(data) } == .invalidArgument)
  }

  @Test func aBatchTellsTheFirstMistakeAtItsCommit() throws {
    var batch = database.batch()
    batch.setData(["a": 1], for: tokyo)
    batch.updateData(["a..b": 1], for: tokyo)
    batch.create(["a": .delete], for: tokyo)
    let wrong = batch
    #expect(message { try wrong.commit() }?.hasPrefix("Invalid property path \"a..b\"") == true)
    #expect(try !tokyo.getDocument().exists)
  }

  // MARK: Preconditions

  @Test func preconditionsHoldForUpdatesAndDeletes() throws {
    let first = try tokyo.setData(["n": 1]).updateTime
    let second = try tokyo.updateData(["n": 2], if: .updateTime(first)).updateTime
    #expect(code { try tokyo.updateData(["n": 3], if: .updateTime(first)) } == .failedPrecondition)
    #expect(
      code { try tokyo.updateData([(FieldPath("n"), 3)], if: .updateTime(first)) }
        == .failedPrecondition)
    #expect(code { try tokyo.delete(if: .updateTime(first)) } == .failedPrecondition)
    var batch = database.batch()
    batch.updateData(["n": 3], for: tokyo, if: .updateTime(second))
    batch.delete(tokyo, if: .updateTime(first))
    let late = batch
    #expect(code { try late.commit() } == .failedPrecondition)
    #expect(try fields() == ["n": 2])
    try tokyo.delete(if: .updateTime(second))
    #expect(code { try tokyo.delete(if: .exists(true)) } == .notFound)
  }

  @Test func valuesAndPreconditionsWithoutBlocking() async throws {
    let read: MapValue = ["n": 1]
    try await tokyo.create(read)
    let first = try await tokyo.setData(read, merge: true).updateTime
    try await tokyo.updateData(["n": 2] as MapValue, if: .updateTime(first))
    #expect(await code { try await tokyo.delete(if: .updateTime(first)) } == .failedPrecondition)
    let copy = try await tokyo.parent.addDocument(read)
    #expect(try await copy.getDocument().data() == read)
    var batch = database.batch()
    batch.create(["a": .delete], for: tokyo)
    let wrong = batch
    #expect(await code { try await wrong.commit() } == .invalidArgument)
  }
}
