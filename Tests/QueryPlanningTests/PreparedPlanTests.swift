import DocumentModel
import QueryPlanning
import TestSupport
import Testing

/// Plans that are made once for all queries of one shape.
struct PreparedPlanTests {
  private let generator = QueryGenerator()

  /// For any values, a prepared plan gives the planner's plan, or none.
  @Test func preparedPlansAreThePlannersOwn() throws {
    let seed = GeneratedCases.seed()
    var mix = PreparedMix()
    for round in 0..<GeneratedCases.count {
      var random = SplitMix64(seed: seed &+ UInt64(round))
      let query = generator.query(using: &random)
      let indexes = generator.indexes(for: query, using: &random)
      let fields = aggregatedFields(using: &random)
      guard let plan = try? plan(query, fields, indexes) else { continue }
      mix.planned += 1
      let prepared = PreparedPlan(query, aggregating: fields, plan: plan, in: .default)
      guard let prepared else { continue }
      mix.prepared += 1
      for number in 0..<6 {
        let other = number == 0 ? query : generator.sibling(of: query, using: &random)
        mix.siblings += 1
        try #require(
          other.shapeHash(aggregating: fields) == prepared.hash
            || other.parent.isRoot != query.parent.isRoot, "seed \(seed) round \(round)")
        guard let found = prepared.plan(other, aggregating: fields) else { continue }
        mix.filled += 1
        let expected = try? self.plan(other, fields, indexes)
        try #require(
          found == expected, "seed \(seed) round \(round)\n\(query)\n\(other)\n\(found)")
      }
      let stranger = generator.query(using: &random)
      guard let found = prepared.plan(stranger, aggregating: fields) else { continue }
      try #require(try found == self.plan(stranger, fields, indexes), "seed \(seed) round \(round)")
    }
    mix.check()
  }

  private func aggregatedFields(using random: inout SplitMix64) -> [FieldPath] {
    random.oneIn(5) ? [field(random.pick(["a", "b", "m.x"]))] : []
  }

  private func plan(
    _ query: StructuredQuery, _ fields: [FieldPath], _ indexes: IndexSet
  ) throws -> Plan {
    try Planner.plan(NormalizedQuery(query, aggregating: fields, in: .default), indexes: indexes)
  }

  // MARK: Prepared queries

  private func prepared(_ query: StructuredQuery) throws -> PreparedPlan? {
    let indexes = IndexSet(
      composites: [
        CompositeIndex(
          id: 1,
          definition: IndexDefinition(
            "c", [IndexColumn(field("a"), .ascending), IndexColumn(field("b"), .descending)]),
          state: .ready)
      ])
    return PreparedPlan(query, plan: try plan(query, [], indexes), in: .default)
  }

  @Test(arguments: [
    query(), query(equal("a")), query(equal("a"), by: "b desc"), query(above("a"), below("a", 9)),
    query(.unary(field("a"), .isNull), by: "b desc"), query(contains("a"), equal("b")),
    query(not("a")), query(by: "a, __name__", start: Cursor([1], isBefore: true)),
  ])
  func conjunctionsArePrepared(_ query: StructuredQuery) throws {
    let prepared = try #require(try prepared(query))
    #expect(prepared.plan(query) != nil)
  }

  @Test(arguments: [
    query(anyOf("a", [1, 2])), query(.or([equal("a"), equal("b")])), query(equal("a"), above("a")),
    query(equal("__name__", reference("c/d"))), query(none("a", [1])), query(in: ""),
    query(equal("a"), equal("a", 2)),
  ])
  func plansThatDependOnValuesAreNotPrepared(_ query: StructuredQuery) throws {
    #expect(try prepared(query) == nil)
  }

  @Test func valuesThatAreNotOrdinaryAreLeftToThePlanner() throws {
    let prepared = try #require(try prepared(query(above("a"), below("a", 9), limit: 1)))
    for (lower, upper, isOrdinary) in [
      (1, 2, true), (.null, 2, false), (1, .double(.nan), false), (3, 2, false), (1, "x", false),
      ("w", "x", true), (.double(-0.0), 1, true),
    ] as [(Value, Value, Bool)] {
      let plan = prepared.plan(query(above("a", lower), below("a", upper)))
      #expect((plan != nil) == isOrdinary, "\(lower) \(upper)")
    }
    #expect(prepared.plan(query(above("a"), below("a", 9), limit: 0)) == nil)
    #expect(prepared.plan(query(above("a"), below("a", 9), limit: -1)) == nil)
    #expect(prepared.plan(query(above("a"), below("a", 9), offset: -1)) == nil)
    #expect(prepared.plan(query(above("a"), below("b", 9))) == nil)
    #expect(prepared.plan(query(above("a"))) == nil)
    #expect(prepared.plan(query(above("a"), below("a", 9), by: "a")) == nil)
    #expect(prepared.plan(query(above("a"), below("a", 9), in: "e")) == nil)
    #expect(prepared.plan(query(above("a"), below("a", 9), group: true)) == nil)
    #expect(prepared.plan(query(above("a"), below("a", 9), below: "p/x")) == nil)
  }
}

private struct PreparedMix {
  var planned = 0
  var prepared = 0
  var siblings = 0
  var filled = 0

  func check() {
    print("planned \(planned), prepared \(prepared), siblings \(siblings), filled \(filled)")
    guard GeneratedCases.areMany() else { return }
    #expect(prepared * 5 >= planned)
    #expect(filled * 10 >= siblings * 5)
  }
}
