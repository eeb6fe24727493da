import DocumentModel
import QueryPlanning
import TestSupport
import Testing

/// Random queries under random indexes.
struct GeneratedPlanTests {
  private struct Mix {
    var counts: [String: Int] = [:]
    mutating func count(_ kind: String) { counts[kind, default: 0] += 1 }
    func share(_ kind: String) -> Double {
      Double(counts[kind, default: 0]) / Double(max(counts["all", default: 0], 1))
    }
  }

  /// Every plan finds what the query means, and every refusal names an index that ends it.
  @Test func plansAgreeWithTheMatcherAndRefusalsWithTheirSuggestion() throws {
    let seed = GeneratedCases.seed()
    var mix = Mix()
    let generator = QueryGenerator()
    for round in 0..<GeneratedCases.count {
      var random = SplitMix64(seed: seed &+ UInt64(round))
      let documents = generator.documents(count: 50, using: &random)
      let query = generator.query(using: &random)
      let indexes = generator.indexes(for: query, using: &random)
      let normalized = try NormalizedQuery(query, in: .default)
      // Written only for a failure: it is long.
      let context = { Comment("seed \(seed) round \(round): \(query) \(indexes)") }
      do {
        let plan = try Planner.plan(normalized, indexes: indexes)
        try checkScans(of: plan, normalized, indexes, context)
        check(plan, normalized, documents, &mix, context)
      } catch let error as DatabaseError {
        mix.count("refused")
        let missing = try #require(error.missingIndex, context())
        for plan in try plans(afterCreating: missing, normalized, indexes, context) {
          check(plan, normalized, documents, &mix, context)
        }
      }
    }
    print(mix.counts)
    guard GeneratedCases.count >= 1000 else { return }
    for kind in ["single", "merge", "nothing"] { #expect(mix.share(kind) >= 0.01, "\(kind)") }
    #expect((0.1...0.3).contains(mix.share("refused")))
    #expect(mix.share("found") >= 0.4)
  }

  /// An index holds a document only if it has all of its fields, so the query must ask for each.
  private func checkScans(
    of plan: Plan, _ query: NormalizedQuery, _ indexes: IndexSet, _ context: () -> Comment
  ) throws {
    let conjunction = query.conjunction
    let arrays = conjunction.contains.map { [$0.field] } ?? []
    let required =
      conjunction.equalities.map(\.field) + query.orders.map(\.field)
    #expect(plan.ranges.count == plan.suffix.count, context())
    #expect(plan.suffix.last?.field == .documentID, context())
    for scan in plan.scans {
      for column in scan.index.columns {
        let fields = column.mode == .contains ? arrays : required
        #expect(fields.contains(column.field), context())
      }
      #expect(scan.prefix.count + plan.suffix.count == scan.index.columns.count, context())
      #expect(
        scan.index.columns.dropFirst(scan.prefix.count).map { "\($0)" }
          == plan.suffix.map { "\($0)" }, context())
      switch scan.source {
      case .key, .automatic: #expect(scan.index.scope == query.source.scope, context())
      case .composite(let id):
        let composite = try #require(indexes.composites.first { $0.id == id }, context())
        #expect(composite.definition == scan.index && composite.state == .ready, context())
      }
    }
  }

  /// How the query runs when it has the index that it lacked, or the smaller one.
  private func plans(
    afterCreating missing: MissingIndex, _ query: NormalizedQuery, _ indexes: IndexSet,
    _ context: () -> Comment
  ) throws -> [Plan] {
    var more = indexes
    more.add(missing.index)
    let plan = try #require(try? Planner.plan(query, indexes: more), context())
    guard let smaller = missing.smaller else { return [plan] }
    #expect(smaller.columns.count < missing.index.columns.count, context())
    // It counts on what is being built.
    var built = indexes.built
    built.add(smaller)
    return [plan, try #require(try? Planner.plan(query, indexes: built), context())]
  }

  private func check(
    _ plan: Plan, _ query: NormalizedQuery, _ documents: [Document], _ mix: inout Mix,
    _ context: () -> Comment
  ) {
    mix.count("all")
    mix.count(plan.scans.count > 1 ? "merge" : plan.scans.isEmpty ? "nothing" : "single")
    let expected = QueryMatcher(query).run(on: documents)
    let results = ScanInterpreter(plan: plan).run(on: documents)
    if !expected.isEmpty { mix.count("found") }
    #expect(results.map(\.path) == expected.map(\.path), context())
  }

  /// Everything that is not used has a reason, and a usable index is never said to be unusable.
  @Test func everyIndexIsUsedOrRejected() throws {
    let seed = GeneratedCases.seed()
    let generator = QueryGenerator()
    for round in 0..<min(GeneratedCases.count, 2000) {
      var random = SplitMix64(seed: seed &+ UInt64(round))
      let indexes = generator.indexes(using: &random)
      let query = try NormalizedQuery(generator.query(using: &random), in: .default)
      let context = {
        Comment("seed \(seed) round \(round): \(query.conditions) \(query.orders)")
      }
      let rejections = Planner.rejections(of: query, indexes: indexes)
      var used: [IndexDefinition] = []
      do {
        used = try Planner.plan(query, indexes: indexes).scans.map(\.index)
      } catch {
        #expect(!rejections.contains { $0.reason == .notPreferred }, context())
      }
      for composite in indexes.composites
      where composite.definition.collectionGroup.utf8Equal(query.source.collectionGroup) {
        let isRejected = rejections.contains { $0.source == .composite(id: composite.id) }
        if used.contains(composite.definition) { #expect(!isRejected, context()) }
        guard !isRejected else { continue }
        #expect(used.contains(composite.definition) || used.isEmpty, context())
      }
      let noFields = FieldOverride(query.source.collectionGroup, nil, [:])
      for rejection in rejections {
        guard case .composite(let id) = rejection.source, rejection.reason != .building,
          let composite = indexes.composites.first(where: { $0.id == id })
        else { continue }
        let alone = IndexSet(composites: [composite], overrides: [noFields])
        let servesAlone =
          (try? Planner.plan(query, indexes: alone)) != nil && !query.needsOnlyTheKey
        #expect(
          servesAlone == (rejection.reason == .notPreferred),
          "\(context()) \(rejection.index) \(rejection.reason)")
      }
    }
  }
}

extension NormalizedQuery {
  fileprivate var needsOnlyTheKey: Bool {
    conjunction.equalities.isEmpty && conjunction.contains == nil && orders == [Order(.documentID)]
  }
}
