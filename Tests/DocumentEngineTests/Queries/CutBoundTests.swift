import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import HearthQueryPlanning
import Testing

/// Operands of which an index holds only a part (§3.6): their documents decide, in every branch.
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

  // MARK: Cursors

  private func ids(
    by orders: [Order], from start: Cursor? = nil, to end: Cursor? = nil, filter: Filter? = nil,
    _ fixture: EngineFixture
  ) throws -> [String] {
    try fixture.run(
      StructuredQuery(collectionID: "t", filter: filter, orders: orders, start: start, end: end)
    ).map { $0.path.lastSegment ?? "" }
  }

  /// A cursor of values alone is compared with whole values, even if the index holds only parts of
  /// them.
  @Test func aCursorOfValuesPassesOverNothingElse() throws {
    let v = FieldPath(unchecked: ["v"])
    let fixture = try Self.filled()
    func cursor(_ end: String, isBefore: Bool) -> Cursor {
      Cursor([Self.long(end)], isBefore: isBefore)
    }
    let ascending = [Order(v)]
    let descending = [Order(v, .descending)]
    #expect(try ids(by: ascending, from: cursor("b", isBefore: false), fixture) == ["c", "d"])
    #expect(try ids(by: ascending, from: cursor("b", isBefore: true), fixture) == ["b", "c", "d"])
    #expect(try ids(by: ascending, to: cursor("b", isBefore: true), fixture) == ["a"])
    #expect(try ids(by: ascending, to: cursor("b", isBefore: false), fixture) == ["a", "b"])
    #expect(try ids(by: descending, from: cursor("b", isBefore: false), fixture) == ["a"])
    #expect(try ids(by: descending, to: cursor("b", isBefore: true), fixture) == ["d", "c"])
    let between = try ids(
      by: ascending, from: cursor("a", isBefore: false), to: cursor("c", isBefore: true), fixture)
    #expect(between == ["b"])
  }

  /// A cursor with a name is a place among documents with equal entries, so that pages fit
  /// together.
  @Test func aCursorWithANameKeepsItsPlace() throws {
    let fixture = try EngineFixture()
    for (id, end) in [("a", "c"), ("b", "a"), ("c", "b")] {
      try fixture.set("t/\(id)", ["v": Self.long(end)])
    }
    let orders = [Order(FieldPath(unchecked: ["v"])), Order(.documentID)]
    let name = DocumentName(unchecked: ResourcePath(unchecked: ["t", "a"]), in: .default)
    let start = Cursor([Self.long("c"), .reference(name)], isBefore: false)
    #expect(try ids(by: orders, from: start, fixture) == ["b", "c"])
  }

  /// After a cut value, the second value gives no place in the index.
  @Test func aCursorOfTwoValuesIsComparedWithBoth() throws {
    let v = FieldPath(unchecked: ["v"])
    let n = FieldPath(unchecked: ["n"])
    let fixture = try EngineFixture()
    try fixture.engine.createIndex(
      IndexDefinition("t", [IndexColumn(v, .ascending), IndexColumn(n, .ascending)]))
    for (id, end, number) in [("a", "a", 9), ("b", "b", 1), ("c", "b", 5), ("d", "c", 0)] {
      try fixture.set("t/\(id)", ["v": Self.long(end), "n": .integer(Int64(number))])
    }
    let orders = [Order(v), Order(n)]
    let cursor = Cursor([Self.long("b"), 1], isBefore: false)
    #expect(Set(try ids(by: orders, from: cursor, fixture)) == ["c", "d"])
    #expect(Set(try ids(by: orders, to: cursor, fixture)) == ["a", "b"])
  }
}
