import HearthDocumentModel
import HearthQueryPlanning
import TestSupport
import Testing

/// The composite indexes that would replace merges by single scans.
struct MergeReplacementTests {
  private func replacements(
    _ query: StructuredQuery, _ indexes: IndexSet = IndexSet()
  ) throws -> [MissingIndex] {
    let normalized = try NormalizedQuery(query, in: .default)
    let plan = try Planner.plan(normalized, indexes: indexes)
    return Planner.indexesReplacingMerges(of: plan, for: normalized, indexes: indexes)
  }

  /// Returns an override that has only the ascending index of group scope.
  private func single(_ name: String) -> FieldOverride {
    override(name, SingleFieldIndex(.ascending, scope: .collectionGroup))
  }

  @Test func aMergeNamesItsComposite() throws {
    #expect(
      try replacements(query(equal("b"), contains("t"), equal("a"))).map(\.index)
        == [index("t contains, a, b")])
    #expect(
      try replacements(
        query(equal("a"), equal("b"), above("n"), by: "n desc"),
        IndexSet(index("a, n desc"), index("b, n desc"))
      ).map(\.index) == [index("a, b, n desc")])
    #expect(
      try replacements(
        query(equal("a"), equal("b"), group: true), IndexSet(overrides: [single("a"), single("b")])
      ).map(\.index)
        == [index("a, b", scope: .collectionGroup)])
  }

  @Test func oneScanNamesNothing() throws {
    #expect(try replacements(query(equal("a"))).isEmpty)
    #expect(try replacements(query(equal("a"), equal("b")), IndexSet(index("a, b"))).isEmpty)
    #expect(try replacements(query(anyOf("a", [1, 2]))).isEmpty)
    // No index has the results of two ranges side by side.
    #expect(try replacements(query(above("a"), above("b")), IndexSet(index("a, b"))).isEmpty)
    // A query that reads nothing merges nothing.
    #expect(try replacements(query(equal("a"), equal("b"), limit: 0)).isEmpty)
    #expect(
      try replacements(
        query(equal("a"), equal("b"), above("n"), below("n", 0), by: "n"),
        IndexSet(index("a, n"), index("b, n"))
      ).isEmpty)
  }

  @Test func alternativesNameTheirsOnce() throws {
    let alike = query(anyOf("a", [1, 2]), equal("b"))
    #expect(try replacements(alike).map(\.index) == [index("a, b")])
    let different = query(.or([.and([equal("a"), equal("b")]), .and([equal("d"), equal("e")])]))
    #expect(try replacements(different).map(\.index) == [index("a, b"), index("d, e")])
    let half = query(.or([.and([equal("a"), equal("b")]), equal("d")]))
    #expect(try replacements(half).map(\.index) == [index("a, b")])
  }

  @Test func anIndexThatExistsIsNamedWithItsState() throws {
    let query = query(equal("a"), equal("b"))
    var composite = CompositeIndex(id: 1, definition: index("b, a"), state: .ready, isHidden: true)
    let hidden = try #require(try replacements(query, IndexSet(composites: [composite])).first)
    #expect(hidden.index == index("b, a"))
    #expect(hidden.hidden == [index("b, a")] && !hidden.isBuilding)
    composite.isHidden = false
    composite.state = .creating
    let building = try #require(try replacements(query, IndexSet(composites: [composite])).first)
    #expect(building.index == index("b, a"))
    #expect(building.building == [index("b, a")] && !building.isHidden)
  }

  @Test func moreFieldsThanAnIndexMayHaveNameNothing() throws {
    let names = (0..<100).map { "f\($0)" }
    let all = StructuredQuery(collectionID: "c", filter: .and(names.map { equal($0) }))
    #expect(try replacements(all).map(\.index.columns.count) == [101])
    let query = try NormalizedAggregation(AggregationQuery(all, [sum("z")]), in: .default).query
    let indexes = IndexSet(
      composites: names.enumerated().map {
        CompositeIndex(id: UInt64($0.offset), definition: index("\($0.element), z"), state: .ready)
      })
    let plan = try Planner.plan(query, indexes: indexes)
    #expect(plan.isMerging)
    #expect(Planner.indexesReplacingMerges(of: plan, for: query, indexes: indexes).isEmpty)
  }

  /// Every served query of the generator that merges names indexes, and no other does. With these
  /// indexes, created or visible or complete, its plan merges nothing.
  @Test func theNamedIndexesMakeEveryMergeOneScan() throws {
    let generator = QueryGenerator()
    let seed = GeneratedCases.seed()
    var merged = 0
    var existing = 0
    for round in 0..<GeneratedCases.count {
      var random = SplitMix64(seed: seed &+ UInt64(round))
      let query =
        random.oneIn(5)
        ? try NormalizedAggregation(generator.aggregation(using: &random), in: .default).query
        : try NormalizedQuery(generator.query(using: &random), in: .default)
      var indexes = generator.indexes(for: query, using: &random)
      guard let plan = try? Planner.plan(query, indexes: indexes) else { continue }
      var named = Planner.indexesReplacingMerges(of: plan, for: query, indexes: indexes)
      let context: Comment =
        "seed \(seed) round \(round): \(query.filter.map { "\($0)" } ?? ""), by \(query.orders)"
      #expect(named.isEmpty == !plan.isMerging, context)
      guard !named.isEmpty else { continue }
      merged += 1
      if random.oneIn(3), let index = named.first?.index, !indexes.holds(index) {
        indexes.add(index, state: random.oneIn(2) ? .creating : .ready)
        indexes.setHidden(random.oneIn(2) || indexes.composites.last?.state == .ready, index)
        named = Planner.indexesReplacingMerges(of: plan, for: query, indexes: indexes)
      }
      existing += named.contains { $0.isHidden || $0.isBuilding } ? 1 : 0
      for missing in named {
        #expect((missing.isBuilding || missing.isHidden) == indexes.holds(missing.index), context)
        try missing.index.validate()
        indexes.add(missing.index)
        indexes.setHidden(false, missing.index)
      }
      #expect(try !Planner.plan(query, indexes: indexes).isMerging, context)
    }
    print("merged \(merged), with an index that exists \(existing)")
    guard GeneratedCases.areMany() else { return }
    #expect(merged * 30 >= GeneratedCases.count)
    #expect(existing * 10 >= merged)
  }
}

extension Plan {
  fileprivate var isMerging: Bool { branches.contains { !$0.isEmpty && $0.scans.count > 1 } }
}

extension IndexSet {
  fileprivate func holds(_ index: IndexDefinition) -> Bool {
    composites.contains { $0.definition == index }
  }

  fileprivate mutating func setHidden(_ isHidden: Bool, _ index: IndexDefinition) {
    for place in composites.indices where composites[place].definition == index {
      composites[place].isHidden = isHidden
    }
  }
}
