import DocumentEngine
import DocumentModel
import QueryPlanning
import Testing

/// Operands that an index holds only a part of (§3.6): their documents decide, in every branch.
@Suite struct CutBoundTests {
  private static func long(_ end: String) -> Value {
    .string(String(repeating: "x", count: Limits.indexedValueByteCount) + end)
  }

  private static func filled() throws -> EngineFixture {
    let fixture = try EngineFixture()
    for (id, value) in [("a", long("a")), ("b", long("b")), ("c", long("c")), ("d", "y")] {
      try fixture.set("t/\(id)", ["v": value, "n": 1])
    }
    return fixture
  }

  private func ids(_ filter: Filter) throws -> [String] {
    try Self.filled().run(StructuredQuery(collectionID: "t", filter: filter))
      .map { $0.path.lastSegment ?? "" }
  }

  private func v(_ comparison: Filter.Comparison, _ value: Value) -> Filter {
    .field(FieldPath(unchecked: ["v"]), comparison, value)
  }

  @Test func rangesKeepWhatLiesOnTheRightSide() throws {
    let b = Self.long("b")
    #expect(try ids(v(.greaterThan, b)) == ["c", "d"])
    #expect(try ids(v(.greaterThanOrEqual, b)) == ["b", "c", "d"])
    #expect(try ids(v(.lessThan, b)) == ["a"])
    #expect(try ids(v(.lessThanOrEqual, b)) == ["a", "b"])
  }

  @Test func negationsLeaveOutTheValueItself() throws {
    #expect(try ids(v(.notEqual, Self.long("b"))) == ["a", "c", "d"])
    let two = Value.array([Self.long("a"), Self.long("c")])
    #expect(try ids(v(.notIn, two)) == ["b", "d"])
  }

  @Test func aBranchThatIsSureSparesTheDocument() throws {
    let b = v(.equal, Self.long("b"))
    #expect(try ids(b) == ["b"])
    #expect(try ids(.or([b, v(.equal, "y")])) == ["b", "d"])
    let all = Filter.field(FieldPath(unchecked: ["n"]), .equal, 1)
    let execution = try Self.filled().engine.readView().run(
      StructuredQuery(collectionID: "t", filter: .or([b, all])))
    var count = 0
    while try execution.nextEntry() { count += 1 }
    #expect(count == 4)
    #expect(execution.statistics.documentsRead == 0)
  }
}
