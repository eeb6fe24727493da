import HearthDocumentModel
import HearthQueryPlanning
import Testing

/// The contents of plans beyond the indexes that they name.
struct PlanTests {
  private func names(_ plan: Plan) -> [String] { plan.scans.map { "\($0.index)" } }

  // MARK: Orders on equalities (§5.4)

  /// Recorded: 100 equalities merge, 99 and an order on one of them are refused.
  @Test func mergeDropsNoOrder() throws {
    let equalities = (0..<100).map { equal("e\($0)") }
    let merge = try plan(StructuredQuery(collectionID: "c", filter: .and(equalities)))
    #expect(merge.scans.count == 100)
    let ordered = StructuredQuery(
      collectionID: "c", filter: .and(Array(equalities.prefix(99))), orders: orders("e0"))
    let missing = try #require(refusal(of: ordered)?.missingIndex)
    let fields = (0..<99).map { "e\($0)" }.sorted()
    #expect(missing.index == index(fields.joined(separator: ",")))
    #expect(missing.index.columns.count == 100)
  }

  @Test func descendingOrderOnAnEqualityStaysInTheProposal() throws {
    let descending = query(equal("testId"), equal("a", 2), by: "a desc")
    let missing = try #require(refusal(of: descending)?.missingIndex)
    #expect(missing.index == index("a, testId, a desc"))
    #expect(missing.smaller == nil)
    // The proposed index serves, and so does any index that leaves the order out and keeps
    // `__name__`.
    for definition in ["a, testId, a desc", "testId, a, __name__ desc", "testId, a desc"] {
      #expect(try names(plan(descending, IndexSet(index(definition)))).count == 1, "\(definition)")
    }
    #expect(refusal(of: descending, IndexSet(index("testId, a"))) != nil)
    let mixed = query(equal("key", "b"), equal("testId"), above("v", 0), by: "sort desc, key, v")
    #expect(refusal(of: mixed)?.missingIndex?.index == index("key, testId, sort desc, v"))
  }

  /// The dropped order still decides the direction of `__name__`.
  @Test func droppedOrderDirectsTheName() throws {
    let query = query(equal("t", "x"), by: "date desc, t")
    let missing = try #require(refusal(of: query)?.missingIndex)
    #expect("\(missing.index)" == "(t ASC, date DESC, __name__ ASC)")
  }

  // MARK: Single indexes and merges (§5.3, §5.5)

  @Test func equalityInsideTheSortedColumnsMustLead() throws {
    // c, then a: entries with a == 1 are scattered.
    #expect(refusal(of: query(equal("a"), by: "c, a"), IndexSet(index("c, a"))) != nil)
    #expect(refusal(of: query(equal("a"), by: "c, a"), IndexSet(index("a, c"))) == nil)
    // As the first column, the equality narrows the suffix that members of a merge share.
    let merge = try plan(
      query(equal("a"), equal("b", 2), equal("d", 3), by: "a"),
      IndexSet(index("b, a"), index("d, a")))
    #expect(names(merge) == ["(b ASC, a ASC, __name__ ASC)", "(d ASC, a ASC, __name__ ASC)"])
    #expect(merge.branches.map(\.ranges) == [[[.point(1)], nil]])
    #expect(merge.scans.map(\.prefix) == [[2], [3]])
  }

  @Test func mergeTakesTheIndexThatCoversMost() throws {
    let query = query(equal("a"), equal("b"), equal("d"), by: "c")
    let merge = try plan(query, IndexSet(index("a, c"), index("b, c"), index("d, b, c")))
    #expect(
      names(merge) == ["(d ASC, b ASC, c ASC, __name__ ASC)", "(a ASC, c ASC, __name__ ASC)"])
    #expect(refusal(of: query, IndexSet(index("a, b, c"), index("d, c desc"))) != nil)
  }

  @Test func mergeWithRangesAndContains() throws {
    let merge = try plan(
      query(equal("a"), contains("tags", "x"), above("c", 5)),
      IndexSet(index("tags contains, c"), index("a, c")))
    #expect(
      names(merge) == [
        "(a ASC, c ASC, __name__ ASC)", "(tags ARRAY_CONTAINS, c ASC, __name__ ASC)",
      ])
    #expect(merge.scans.map(\.prefix) == [[1], ["x"]])
    let range = ValueRange(from: 5, isInclusive: false)
    #expect(merge.branches.map(\.ranges) == [[[range], nil]])
  }

  @Test func singleIndexBeatsAMergeAndOwnScopeTheGroups() throws {
    let query = query(equal("a"), equal("b"))
    // The merge of automatic indexes, the group's index and a later column lose.
    let indexes = IndexSet(
      index("a, b", scope: .collectionGroup), index("b desc, a, __name__"), index("b, a"))
    #expect(try plan(query, indexes).scans.map(\.source) == [.composite(id: 3)])
    let groups = IndexSet(index("b, a", scope: .collectionGroup))
    let scan = try #require(try plan(query, groups).scans.first)
    #expect(scan.index.scope == .collectionGroup)
    #expect(try plan(query, groups).source == .collection(path("c")))
  }

  @Test func namesRunInTheDirectionThatIsAsked() throws {
    // Row 2 of §11: only the descending index is left, and names would run the wrong way.
    let descending = IndexSet(overrides: [override("p", SingleFieldIndex(.descending))])
    #expect(refusal(of: query(equal("p")), descending)?.missingIndex?.index == index("p"))
    #expect(refusal(of: query(equal("p"), by: "__name__ desc"), descending) == nil)
  }

  // MARK: Overrides (§3.3)

  @Test func longestOverrideGoverns() {
    let indexes = IndexSet(overrides: [
      override(nil), override("m", SingleFieldIndex(.ascending)), override("m.k.deep"),
    ])
    #expect(refusal(of: query(equal("a")), indexes) != nil)
    #expect(refusal(of: query(equal("m")), indexes) == nil)
    #expect(refusal(of: query(equal("m.k")), indexes) == nil)
    #expect(refusal(of: query(by: "m.k desc"), indexes) != nil)
    #expect(refusal(of: query(equal("m.k.deep")), indexes) != nil)
    // The quoted star is a field like any other; another group is not affected.
    #expect(refusal(of: query(equal("`*`")), indexes) != nil)
    #expect(refusal(of: query(equal("a"), in: "e"), indexes) == nil)
    #expect(
      refusal(of: query(equal("a"), equal("b")), IndexSet(overrides: [override("`*`")])) == nil)
  }

  @Test func exemptionInsideAMergeIsTheSmallerIndex() throws {
    let missing = try #require(
      refusal(of: query(equal("a"), equal("b")), IndexSet(overrides: [override("b")]))?.missingIndex
    )
    #expect(missing.index == index("a, b"))
    #expect(missing.smaller == index("b"))
    #expect(missing.smaller?.singleField?.index == SingleFieldIndex(.ascending))
  }

  // MARK: Text

  @Test func texts() throws {
    let merge = try plan(query(equal("a"), equal("b", "x"), limit: 3))
    #expect(
      "\(merge)" == """
        merge of 2 indexes, ordered by __name__ ASC
          automatic (a ASC, __name__ ASC)  a == 1
          automatic (b ASC, __name__ ASC)  b == "x"
          limit     3
        """)
    let scan = try plan(
      query(
        contains("t", "x"), above("n", 5), .field(field("n"), .lessThanOrEqual, 9), by: "n desc",
        start: Cursor([7], isBefore: false), end: Cursor([6], isBefore: true), offset: 2),
      IndexSet(index("t contains, n desc", scope: .collectionGroup)))
    #expect(
      "\(scan)" == """
        one index, ordered by n DESC, __name__ DESC
          composite (t ARRAY_CONTAINS, n DESC, __name__ DESC) of the group  t array-contains "x"
          range     n > 5 && n <= 9
          start     after (7)
          end       before (6)
          offset    2
        """)
    #expect(
      try "\(plan(query()))" == """
        one index, ordered by __name__ ASC
          key       (__name__ ASC)
        """)
    #expect(try "\(plan(query(limit: 0)))" == "nothing is read: the limit is 0")
    #expect(
      try "\(plan(query(equal("a", .null))))"
        == "nothing is read: no document can meet all conditions")
    #expect(
      try "\(plan(query(not("a", "x"))))" == """
        one index, ordered by a ASC, __name__ ASC
          automatic (a ASC, __name__ ASC)
          range     a before "x" || a after "x"
        """)
    let long = try plan(query(equal("a", .string(String(repeating: "é", count: 2000)))))
    #expect("\(long)".split(separator: "\n").allSatisfy { $0.count < 150 })
  }

  @Test func textsOfAlternatives() throws {
    let union = try plan(
      query(
        .or([equal("a"), .and([equal("b", "x"), equal("d", 2)]), equal("a", .null)]), above("c", 5),
        limit: 3),
      IndexSet(index("a, c"), index("b, c"), index("d, c")))
    #expect(
      "\(union)" == """
        union of 3 branches, ordered by c ASC, __name__ ASC
          composite (a ASC, c ASC, __name__ ASC)  a == 1
            range     c > 5
          merge of 2 indexes
            composite (b ASC, c ASC, __name__ ASC)  b == "x"
            composite (d ASC, c ASC, __name__ ASC)  d == 2
            range     c > 5
          nothing is read: no document can meet all conditions
          limit     3
        """)
    let total = try NormalizedAggregation(
      AggregationQuery(nearest(equal("n")), [.sum(field("n"), as: "total")]), in: .default)
    let vectors = try Planner.plan(total.query, indexes: IndexSet(vectorIndex("n")))
    let work = [[PlanNode.Work(entriesRead: 12, seekCount: 1)]]
    #expect(
      "\(vectors.node(computing: total.figures, work: work))" == """
        sum of n as total
          the 2 nearest of emb to [1.0, 0.0, 0.0], EUCLIDEAN
            one index, ordered by __name__ ASC
              composite (n ASC, __name__ ASC, emb VECTOR<3>)  n == 1  [12 entries, 1 seek]
        """)
  }
}
