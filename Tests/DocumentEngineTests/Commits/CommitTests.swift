import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import HearthQueryPlanning
import HearthStorageFormat
import Testing

@Suite struct CommitTests {
  @Test func writtenDocumentsAreReadBack() throws {
    let fixture = try EngineFixture()
    let fields: MapValue = ["name": "Tokyo", "tags": ["big", 1, 1.5], "at": ["x": .null]]
    try fixture.set("cities/tokyo", fields)
    #expect(try fixture.fields("cities/tokyo") == fields)
    #expect(try fixture.fields("cities/kyoto") == nil)
    #expect(try fixture.fields("towns/tokyo") == nil)
    try fixture.expectClean()
  }

  @Test func everyWriteFormDoesWhatItsRowSays() throws {
    let fixture = try EngineFixture()
    let path = try ResourcePath("c/a")
    func commit(_ write: Write) throws { _ = try fixture.engine.commit([write]) }

    try commit(.merge(path, ["m": ["x": 1], "list": [1]]))
    try commit(.merge(path, ["m": ["y": 2], "list": [2]]))
    #expect(try fixture.fields("c/a") == ["m": ["x": 1, "y": 2], "list": [2]])
    try commit(.merge(path, ["m": [:]]))
    #expect(try fixture.fields("c/a") == ["m": [:], "list": [2]])
    try commit(try .update(path, [(FieldPath("list.z"), .integer(3)), (FieldPath("m"), nil)]))
    #expect(try fixture.fields("c/a") == ["list": ["z": 3]])
    try commit(.set(path, ["only": true]))
    #expect(try fixture.fields("c/a") == ["only": true])
    try commit(.delete(path))
    #expect(try fixture.fields("c/a") == nil)
    try commit(.delete(path))
    try fixture.expectClean()
  }

  @Test func preconditionsRefuseTheWholeCommit() throws {
    let fixture = try EngineFixture()
    let (a, b) = (try ResourcePath("c/a"), try ResourcePath("c/b"))
    let first = try fixture.set("c/a", ["n": 1])
    #expect(
      code { _ = try fixture.engine.commit([.set(b, [:]), .create(a, [:])]) } == .alreadyExists)
    #expect(try fixture.fields("c/b") == nil)
    #expect(
      code { _ = try fixture.engine.commit([try .update(b, [(FieldPath("n"), .integer(1))])]) }
        == .notFound)
    let stale = try Timestamp(microseconds: first.commitTime.microseconds - 1)
    #expect(
      code { _ = try fixture.engine.commit([.delete(a, .updateTime(stale))]) }
        == .failedPrecondition)
    let future = try Timestamp(microseconds: fixture.clock.now().microseconds + 3_600_000_000)
    for path in [a, b] {
      #expect(
        code { _ = try fixture.engine.commit([.delete(path, .updateTime(future))]) }
          == .invalidArgument)
    }
    #expect(code { _ = try fixture.engine.commit([.delete(b, .exists(true))]) } == .notFound)
    _ = try fixture.engine.commit([.delete(a, .updateTime(first.commitTime))])
    #expect(try fixture.fields("c/a") == nil)
  }

  @Test func writesOfOneCommitSeeEachOther() throws {
    let fixture = try EngineFixture()
    let path = try ResourcePath("c/a")
    let result = try fixture.engine.commit([
      .create(path, ["n": 1]), try .update(path, [(FieldPath("m"), .integer(2))]), .delete(path),
      .create(path, ["n": 3]),
    ])
    #expect(try fixture.fields("c/a") == ["n": 3])
    #expect(result.writeResults.count == 4)
    try fixture.expectClean()
  }

  @Test func aWriteThatChangesNothingKeepsTheUpdateTime() throws {
    let fixture = try EngineFixture()
    let first = try fixture.set("c/a", ["n": 1])
    let second = try fixture.set("c/a", ["n": 1])
    #expect(second.writeResults == first.writeResults)
    let third = try fixture.set("c/a", ["n": 1.0])
    #expect(third.writeResults[0].updateTime > first.writeResults[0].updateTime)
    let document = try #require(try fixture.engine.readView().document(at: ResourcePath("c/a")))
    #expect(document.createTime == first.commitTime)
    #expect(document.updateTime == third.commitTime)
  }

  @Test func commitTimesAscendWithAnyClock() throws {
    let fixture = try EngineFixture()
    fixture.clock.turn(to: try Timestamp(microseconds: 1_000_000))
    let first = try fixture.set("c/a", ["n": 1]).commitTime
    #expect(first.microseconds == 1_000_000)
    fixture.clock.turn(to: try Timestamp(microseconds: 5))
    #expect(try fixture.set("c/a", ["n": 2]).commitTime.microseconds == 1_000_001)
    let reopened = try Engine(fixture.store, clock: fixture.clock)
    let next = try reopened.commit([.set(ResourcePath("c/b"), [:])]).commitTime
    #expect(next.microseconds == 1_000_002)
  }

  @Test func limitsAreEnforcedWithProductionsTexts() throws {
    let fixture = try EngineFixture()
    func message(_ fields: MapValue) -> String? {
      do {
        try fixture.set("c/a", fields)
        return nil
      } catch { return (error as? DatabaseError)?.message }
    }
    let elements = (0..<20_000).map { Value.integer($0) }
    #expect(message(["tags": .array(elements)]) == "too many index entries for entity /c/a")
    #expect(message(["tags": .array(Array(elements.dropLast()))]) == nil)
    #expect(message(["a": [[1]]]) == "Nested arrays are not allowed")
    #expect(message(["__x__": 1]) == "field name __x__ is reserved")
    let blob = String(repeating: "x", count: 1_048_488)
    #expect(
      message(["blob": .string(blob)])
        == "The value of property \"blob\" is longer than 1048487 bytes.")
    let many = MapValue(
      (0..<2000).map { ("f\($0)", Value.string(String(repeating: "y", count: 600))) })
    #expect(message(many)?.contains("exceeds the maximum allowed size of 1048576 bytes") == true)
    try fixture.expectClean()
  }

  @Test func collectionsAreListedAndDeletedWithWhatLiesBelow() throws {
    let fixture = try EngineFixture()
    for path in ["a/1", "a/1/sub/x", "a/1/sub/x/deep/y", "b/2/only/z", "a!/3", "c/4"] {
      try fixture.set(path, ["n": 1])
    }
    let root = try fixture.engine.readView()
    #expect(try root.collectionIDs(below: .root) == ["a", "a!", "b", "c"])
    #expect(try root.collectionIDs(below: ResourcePath("a/1")) == ["sub"])
    #expect(try root.collectionIDs(below: ResourcePath("b/2")) == ["only"])
    #expect(try fixture.engine.recursiveDelete(ResourcePath("a")) == 3)
    #expect(try fixture.engine.recursiveDelete(ResourcePath("b/2")) == 1)
    #expect(try fixture.engine.readView().collectionIDs(below: .root) == ["a!", "c"])
    try fixture.expectClean()
  }

  @Test func anotherIdentityIsRefused() throws {
    let fixture = try EngineFixture()
    let other = try DatabaseID(project: "other")
    #expect(code { _ = try Engine(fixture.store, databaseID: other) } == .failedPrecondition)
    _ = try Engine(fixture.store, databaseID: .default)
  }
}
