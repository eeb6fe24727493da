import HearthDocumentModel
import Testing

@Suite struct MapValueTests {
  private func path(_ text: String) throws -> FieldPath { try FieldPath(text) }

  @Test func fieldsAreSortedByTheBytesOfTheirNames() {
    let map: MapValue = ["b": 1, "\u{1F600}": 2, "\u{FFFD}": 3, "a": 4, "\u{E9}": 5, "e\u{301}": 6]
    #expect(
      map.map { Array($0.name.utf8) } == [
        [0x61], [0x62], [0x65, 0xCC, 0x81], [0xC3, 0xA9], [0xEF, 0xBF, 0xBD],
        [0xF0, 0x9F, 0x98, 0x80],
      ])
    #expect(map["e\u{301}"] == 6 && map["\u{E9}"] == 5)
  }

  @Test func theLastOfSeveralFieldsWithOneNameWins() {
    let map = MapValue([("a", 1), ("b", 2), ("a", 3)])
    #expect(map == ["a": 3, "b": 2])
  }

  @Test func missingFieldsAreNotNull() throws {
    let map: MapValue = ["a": .null, "m": [:]]
    #expect(map["a"] == .some(.null))
    #expect(map["b"] == .none)
    #expect(map[try path("m.x")] == .none)
    #expect(map[try path("a.x")] == .none)
  }

  @Test func settingByName() {
    var map: MapValue = ["b": 1]
    map["a"] = 2
    map["c"] = 3
    map["b"] = 4
    #expect(map == ["a": 2, "b": 4, "c": 3])
    map["a"] = .none
    map["x"] = .none
    #expect(map == ["b": 4, "c": 3])
  }

  @Test func settingByPathMakesAndReplacesMaps() throws {
    var map: MapValue = ["a": 1]
    map.set(2, at: try path("m.n.o"))
    map.set(3, at: try path("m.p"))
    map.set(4, at: try path("a.b"))
    #expect(map == ["a": ["b": 4], "m": ["n": ["o": 2], "p": 3]])
    #expect(map[try path("m.n.o")] == 2)
  }

  @Test func removingByPathLeavesTheMapsAround() throws {
    var map: MapValue = ["a": 1, "m": ["n": 2]]
    map.set(.none, at: try path("m.n"))
    map.set(.none, at: try path("x.y"))
    map.set(.none, at: try path("a.b"))
    #expect(map == ["a": 1, "m": [:]])
  }

  @Test func leavesAreWhatAMergeWrites() {
    let map: MapValue = ["a": 1, "m": ["n": ["o": 2], "e": [:]], "t": [1]]
    #expect(map.leafPaths.map(\.description) == ["a", "m.e", "m.n.o", "t"])
  }
}

@Suite struct WriteTests {
  let path = ResourcePath(unchecked: ["c", "d"])

  @Test func updatesMaskWhatTheyChange() throws {
    let write = try Write.update(path, [(FieldPath("b.c"), 1), (FieldPath("a"), .none)])
    #expect(
      write.operation
        == .update(
          fields: ["b": ["c": 1]], mask: [try FieldPath("a"), try FieldPath("b.c")]))
    #expect(write.precondition == .exists(true))
  }

  @Test func onePathBelowAnotherIsRefused() throws {
    let changes: [(FieldPath, Value?)] = [
      (try FieldPath("a.b"), 1), (try FieldPath("b"), 1), (try FieldPath("a"), 1),
    ]
    #expect(throws: DatabaseError.self) { try Write.update(path, changes) }
    #expect(throws: DatabaseError.self) { try Write.update(path, [changes[1], changes[1]]) }
  }
}
