import HearthDocumentModel
import HearthQueryPlanning
import TestSupport
import Testing

/// Random queries under random indexes.
struct GeneratedPlanTests {
  private let generator = QueryGenerator()

  /// Every plan finds the documents of the query's meaning, and every refusal names an index that
  /// ends it.
  @Test func plansAgreeWithTheMatcherAndRefusalsWithTheirSuggestion() throws {
    let seed = GeneratedCases.seed()
    var mix = PlanMix()
    for round in 0..<GeneratedCases.count {
      var random = SplitMix64(seed: seed &+ UInt64(round))
      let documents = generator.documents(count: 50, using: &random)
      let query = try query(using: &random)
      let indexes = generator.indexes(for: query, using: &random)
      let check = PlanCheck(
        query: query, indexes: indexes, documents: documents, name: "seed \(seed) round \(round)")
      do {
        let plan = try Planner.plan(query, indexes: indexes)
        try check.scans(of: plan)
        mix.add(plan, query, found: check.results(of: plan))
      } catch let error as DatabaseError {
        mix.addRefusal()
        let missing = try #require(error.missingIndex, check.context())
        for plan in try check.plans(afterCreating: missing) {
          mix.add(plan, query, found: check.results(of: plan))
        }
      }
    }
    mix.check()
  }

  /// Returns a query of any kind; one in ten is for the nearest vectors, two are aggregations.
  private func query(using random: inout SplitMix64) throws -> NormalizedQuery {
    switch Int.random(in: 0..<10, using: &random) {
    case 0: try NormalizedQuery(generator.nearestQuery(using: &random), in: .default)
    case 1, 2:
      try NormalizedAggregation(generator.aggregation(using: &random), in: .default).query
    default: try NormalizedQuery(generator.query(using: &random), in: .default)
    }
  }

  /// Every unused index has a reason, and a usable index is never called unusable.
  @Test func everyIndexIsUsedOrRejected() throws {
    let seed = GeneratedCases.seed()
    for round in 0..<min(GeneratedCases.count, 2000) {
      var random = SplitMix64(seed: seed &+ UInt64(round))
      let indexes = generator.indexes(using: &random)
      let query = try query(using: &random)
      let check = RejectionCheck(
        query: query, indexes: indexes, name: "seed \(seed) round \(round)")
      check.everyIndexIsUsedOrRejected()
      try check.reasonsAreTrue()
      check.editsMakeTheirIndexUsable()
    }
  }
}

/// A check of one query under some indexes.
private struct PlanCheck {
  let query: NormalizedQuery
  let indexes: IndexSet
  let documents: [Document]
  let name: String

  /// Returns the context of a failure. It is written only for a failure: it is long.
  func context() -> Comment {
    "\(name): \(query.filter.map { "\($0)" } ?? "no filter"), by \(query.orders), \(indexes)"
  }

  /// Checks that the query asks for each field of the index, since an index holds a document only
  /// if it has all of them.
  func scans(of plan: Plan) throws {
    guard plan.branches.count == query.disjuncts.count else {
      // The limit is 0, or the cursors cut through the aggregated fields.
      #expect(query.limit == 0 || !query.aggregatedFields.isEmpty, context())
      return
    }
    for (branch, conjunction) in zip(plan.branches, query.disjuncts) {
      let arrays = conjunction.containingField.map { [$0] } ?? []
      let required =
        conjunction.equalFields + query.orders.map(\.field) + query.aggregatedFields
      #expect(branch.ranges.count == branch.suffix.count, context())
      #expect(branch.suffix.last?.field == .documentID, context())
      #expect(branch.key.count == plan.orders.count, context())
      for scan in branch.scans {
        for column in scan.index.columns {
          let fields = column.mode == .contains ? arrays : required
          #expect(fields.contains(column.field), context())
        }
        #expect(
          scan.index.columns.dropFirst(scan.prefix.count).map { "\($0)" }
            == branch.suffix.map { "\($0)" }, context())
        try source(of: scan)
      }
    }
  }

  private func source(of scan: Plan.Scan) throws {
    switch scan.source {
    case .key, .automatic: #expect(scan.index.scope == query.source.scope, context())
    case .composite(let id):
      let composite = try #require(indexes.composites.first { $0.id == id }, context())
      #expect(composite.definition == scan.index && composite.state == .ready, context())
      #expect((scan.index.vector == nil) == (query.nearest == nil), context())
    }
  }

  /// Returns the plans of the query with the indexes that it lacked, or the smaller ones.
  func plans(afterCreating missing: MissingIndex) throws -> [Plan] {
    let hint = HintCheck(query: query, indexes: indexes, name: name)
    return try hint.completions(missing).map { try Planner.plan(query, indexes: $0) }
  }

  /// Returns the number of documents that the plan finds, which must be those of the query's
  /// meaning.
  func results(of plan: Plan) -> Int {
    let matcher = QueryMatcher(query)
    let expected = matcher.run(on: documents, by: plan.orders)
    let results = ScanInterpreter(plan: plan, isResult: matcher.isBetweenCursors).run(on: documents)
    #expect(results.map(\.path) == expected.map(\.path), "\(context()) \(plan)")
    return results.count
  }
}

/// A check of the indexes that a query doesn't use.
private struct RejectionCheck {
  let query: NormalizedQuery
  let indexes: IndexSet
  let name: String
  private let rejections: [IndexRejection]

  init(query: NormalizedQuery, indexes: IndexSet, name: String) {
    self.query = query
    self.indexes = indexes
    self.name = name
    rejections = Planner.rejections(of: query, indexes: indexes)
  }

  private func context() -> Comment {
    "\(name): \(query.filter.map { "\($0)" } ?? "no filter"), by \(query.orders)"
  }

  func everyIndexIsUsedOrRejected() {
    let plan = try? Planner.plan(query, indexes: indexes)
    let used = plan?.branches.flatMap(\.scans).map(\.index)
    for composite in indexes.composites
    where composite.definition.collectionGroup.utf8Equal(query.source.collectionGroup) {
      let isRejected = rejections.contains { $0.source == .composite(id: composite.id) }
      guard let used, query.limit != 0 else { continue }
      #expect(used.contains(composite.definition) != isRejected, context())
    }
  }

  /// Checks that an index with its edits is used, or is one of those that could be.
  func editsMakeTheirIndexUsable() {
    for rejection in rejections where !rejection.edits.isEmpty {
      var edited = indexes
      let index = rejection.index.applying(rejection.edits)
      if case .composite(let id) = rejection.source {
        edited.composites.removeAll { $0.id == id }
        edited.composites.append(CompositeIndex(id: id, definition: index, state: .ready))
      } else {
        edited.add(index)
      }
      let reason = Planner.rejections(of: query, indexes: edited).first { $0.index == index }?
        .reason
      let used = (try? Planner.plan(query, indexes: edited))?.branches.flatMap(\.scans) ?? []
      // A refused query still has alternatives that lack an index.
      #expect(
        reason == .notPreferred
          || reason == nil
            && (used.contains { $0.index == index }
              || query.disjuncts.count > 1 || query.limit == 0),
        "\(context()): \(rejection.index): \(rejection.edit ?? ""): \(index) \(edited)")
    }
  }

  func reasonsAreTrue() throws {
    let noFields = FieldOverride(query.source.collectionGroup, nil, [:])
    guard query.disjuncts.count == 1, !query.needsOnlyTheKey else { return }
    for rejection in rejections {
      guard case .composite(let id) = rejection.source, rejection.reason != .building,
        let composite = indexes.composites.first(where: { $0.id == id })
      else { continue }
      let alone = IndexSet(composites: [composite], overrides: [noFields])
      let servesAlone = (try? Planner.plan(query, indexes: alone)) != nil
      #expect(
        servesAlone == (rejection.reason == .notPreferred),
        "\(context()) \(rejection.index) \(rejection.reason)")
    }
  }
}

/// Counts of the generated queries by their verdicts.
private struct PlanMix {
  private var kinds: [String: Int] = [:]
  private var total = 0
  private var refused = 0
  private var nonEmpty = 0

  mutating func add(_ plan: Plan, _ query: NormalizedQuery, found count: Int) {
    total += 1
    nonEmpty += count > 0 ? 1 : 0
    for kind in PlanMix.kinds(of: plan, query) { kinds[kind, default: 0] += 1 }
  }

  mutating func addRefusal() { refused += 1 }

  private static func kinds(of plan: Plan, _ query: NormalizedQuery) -> [String] {
    var kinds: [String] = []
    let branches = plan.readingBranches
    if branches.isEmpty { kinds.append("nothing") }
    if branches.count > 1 { kinds.append("union") }
    if branches.count > 1, branches.contains(where: { $0.scans.count > 1 }) {
      kinds.append("union of merges")
    }
    if branches.count == 1 { kinds.append(branches[0].scans.count > 1 ? "merge" : "single") }
    if branches.contains(where: { $0.ranges.contains { ($0?.count ?? 0) > 1 } }) {
      kinds.append("range list")
    }
    if branches.count > 1, branches.contains(where: { $0.key.contains { $0.isConstant } }) {
      kinds.append("constant in the order")
    }
    if plan.nearest != nil { kinds.append("nearest") }
    if query.source.collectionGroup.isEmpty { kinds.append("kindless") }
    if !query.aggregatedFields.isEmpty { kinds.append("aggregation") }
    if plan.start != nil || plan.end != nil { kinds.append("cursors") }
    return kinds
  }

  func check() {
    for (kind, count) in kinds.sorted(by: { $0.key < $1.key }) { print("\(kind): \(count)") }
    print("plans \(total), non-empty \(nonEmpty), refused at first \(refused)")
    guard GeneratedCases.areMany() else { return }
    #expect(kinds.count == 11, "\(kinds.keys)")
    for (kind, count) in kinds { #expect(count * 100 >= total, "too few plans: \(kind)") }
    #expect(nonEmpty * 10 >= total * 4)
    #expect((total..<(total * 3)).contains(refused * 10))
  }
}

extension Plan {
  fileprivate var start: Cursor? { branches.lazy.compactMap(\.start).first }
  fileprivate var end: Cursor? { branches.lazy.compactMap(\.end).first }
}

extension Plan.Branch.KeyColumn {
  fileprivate var isConstant: Bool {
    if case .constant = self { true } else { false }
  }
}

extension NormalizedQuery {
  fileprivate var needsOnlyTheKey: Bool {
    conjunction.equalFields.isEmpty && conjunction.containingField == nil
      && orders == [Order(.documentID)]
  }
}
