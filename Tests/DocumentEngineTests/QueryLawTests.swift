import DocumentEngine
import DocumentModel
import OrderedStore
import QueryPlanning
import StorageFormat
import TestSupport
import Testing

/// Law 2: a query under any indexes gives what a full scan and `QueryMatcher` give, or is refused;
/// the index that the refusal proposes, once created, makes it run.
@Suite struct QueryLawTests {
  private static let queriesPerDatabase = 40

  @Test func everyQueryIsAnsweredRightOrRefusedWithASufficientIndex() throws {
    let seed = GeneratedCases.seed()
    var mix = QueryMix()
    for number in 0..<(GeneratedCases.count / Self.queriesPerDatabase) {
      let seed = seed &+ UInt64(number)
      do {
        var session = try QuerySession(seed: seed)
        for _ in 0..<Self.queriesPerDatabase { try session.step(&mix) }
        let report = try session.engine.verify()
        try require(report.isClean, "\(report.problems)")
      } catch {
        Issue.record("HEARTH_SEED=\(seed): \(error)")
        return
      }
    }
    mix.check()
  }
}

private struct Difference: Error, CustomStringConvertible {
  let description: String
}

private func require(_ condition: Bool, _ message: @autoclosure () -> String) throws {
  guard condition else { throw Difference(description: message()) }
}

/// What the generated queries came to.
private struct QueryMix {
  private var kinds: [String: Int] = [:]
  private var total = 0
  private var refused = 0
  private var nonEmpty = 0
  /// Queries that compared documents with entries that don't hold the whole value (§3.6).
  private var rechecked = 0

  mutating func add(_ plan: Plan, resultCount: Int, isRechecked: Bool) {
    total += 1
    nonEmpty += resultCount > 0 ? 1 : 0
    rechecked += isRechecked ? 1 : 0
    kinds[QueryMix.kind(plan), default: 0] += 1
  }

  mutating func addRefusal() { refused += 1 }

  private static func kind(_ plan: Plan) -> String {
    guard let scan = plan.scans.first else { return "nothing to read" }
    guard plan.scans.count == 1 else {
      let composites = plan.scans.count { if case .composite = $0.source { true } else { false } }
      return composites == 0 ? "merge of automatics" : "merge with composites"
    }
    switch scan.source {
    case .key: return "key index, \(plan.source.scope.rawValue)"
    case .automatic:
      return plan.suffix.last?.direction == .descending ? "automatic, backwards" : "automatic"
    case .composite:
      let isShared = scan.index.scope != plan.source.scope
      return isShared ? "group composite for a collection" : "composite"
    }
  }

  func check() {
    for (kind, count) in kinds.sorted(by: { $0.key < $1.key }) { print("\(kind): \(count)") }
    print(
      "queries \(total), non-empty \(nonEmpty), refused at first \(refused), "
        + "with rechecks \(rechecked)")
    #expect(kinds.count >= 9, "plan kinds \(kinds.keys)")
    for (kind, count) in kinds { #expect(count * 100 >= total, "too few plans: \(kind)") }
    #expect(rechecked * 100 >= total)
    #expect(nonEmpty * 10 >= total * 4)
    #expect(refused * 10 <= total * 3)
  }
}

/// One database whose documents and indexes change between queries.
private struct QuerySession {
  let engine: Engine
  private var random: SplitMix64
  private let generator = QueryGenerator()
  private var documents: [ResourcePath: MapValue] = [:]
  private var queries: [StructuredQuery] = []

  init(seed: UInt64) throws {
    random = SplitMix64(seed: seed)
    engine = try Engine(MemoryStore())
    // Numbers above 127 take more than one byte.
    _ = try engine.commit(
      (0..<150).map { .set(ResourcePath(unchecked: ["past", "d\($0)"]), MapValue()) })
    _ = try engine.recursiveDelete(ResourcePath("past"))
    for document in generator.documents(count: 40, using: &random) {
      try set(document.path, document.fields)
    }
    for index in generator.indexes(using: &random).composites { try create(index.definition) }
    if random.oneIn(3) { try addMerge() }
    // Half of the overrides come before documents change, half after.
    for override in generator.indexes(using: &random).overrides {
      try engine.setOverride(
        override.collectionGroup, override.field, Array(override.indexes.keys))
    }
  }

  /// Two composite indexes that only a merge makes use of, and the query for it (§5.5).
  private mutating func addMerge() throws {
    let (a, b, c) = (
      FieldPath(unchecked: ["a"]), FieldPath(unchecked: ["b"]), FieldPath(unchecked: ["c"])
    )
    let direction = random.pick([IndexMode.ascending, .descending])
    for field in [a, b] {
      try create(IndexDefinition("c", [IndexColumn(field, .ascending), IndexColumn(c, direction)]))
    }
    queries.append(
      StructuredQuery(
        collectionID: "c", filter: .and([.field(a, .equal, 1), .field(b, .equal, 1)]),
        orders: [Order(c, direction == .ascending ? .ascending : .descending)]))
  }

  private mutating func set(_ path: ResourcePath, _ fields: MapValue) throws {
    do {
      _ = try engine.commit([.set(path, fields)])
      documents[path] = fields
    } catch {
      // Several long values make an entry too large, which is refused and changes nothing.
      guard error.code == .invalidArgument else { throw error }
    }
  }

  private func create(_ definition: IndexDefinition) throws {
    do {
      try engine.createIndex(definition)
    } catch {
      guard error.code == .alreadyExists else { throw error }
    }
  }

  mutating func step(_ mix: inout QueryMix) throws {
    try changeDocuments()
    if queries.count < 12 || random.oneIn(8) { queries.append(try likelyQuery()) }
    let query = random.pick(queries)
    if let missing = try missingIndex(query) {
      mix.addRefusal()
      try add(random.oneIn(5) ? missing.index : missing.smaller ?? missing.index)
    }
    try check(query, &mix)
  }

  /// One of three random queries, with results if one of them has any.
  private mutating func likelyQuery() throws -> StructuredQuery {
    for _ in 0..<2 {
      let query = generator.query(using: &random)
      if try !expected(query).isEmpty { return query }
    }
    return generator.query(using: &random)
  }

  private func missingIndex(_ query: StructuredQuery) throws -> MissingIndex? {
    do {
      _ = try engine.readView().plan(query)
      return nil
    } catch {
      guard let missing = error.missingIndex else { throw error }
      return missing
    }
  }

  private mutating func changeDocuments() throws {
    for _ in 0..<random.pick([0, 1, 2]) {
      let path = generator.path(using: &random)
      if random.oneIn(3) {
        _ = try engine.commit([.delete(path)])
        documents[path] = nil
      } else {
        try set(path, generator.fields(using: &random))
      }
    }
  }

  /// Creates the index. A composite one may be created for the whole group instead, which serves a
  /// single collection as well (§5.2).
  private mutating func add(_ definition: IndexDefinition) throws {
    guard let single = definition.singleField else {
      let scope = random.oneIn(3) ? .collectionGroup : definition.scope
      return try create(
        IndexDefinition(definition.collectionGroup, definition.columns, scope: scope))
    }
    let indexes = try engine.readView().catalog.indexes
    let present = indexes.singleFieldIndexes(of: single.field, in: definition.collectionGroup)
    try engine.setOverride(
      definition.collectionGroup, single.field, Array(Set(present.keys).union([single.index])))
  }

  private func expected(_ query: StructuredQuery) throws -> [Document] {
    let all = documents.map {
      Document(path: $0.key, fields: $0.value, createTime: .minimum, updateTime: .minimum)
    }
    return QueryMatcher(try NormalizedQuery(query, in: .default)).run(on: all)
  }

  /// Compares the query's results with those of the matcher.
  private func check(_ query: StructuredQuery, _ mix: inout QueryMix) throws {
    let expected = try expected(query)
    let execution = try engine.readView().run(query)
    var found: [(ResourcePath, MapValue)] = []
    while let record = try execution.nextDocument() {
      found.append((record.path, try record.fields()))
    }
    let plan = try engine.readView().plan(query)
    try require(
      found.map(\.0) == expected.map(\.path) && found.map(\.1) == expected.map(\.fields),
      "\(query)\n\(plan)\nfound \(found.map(\.0)), "
        + "expected \(expected.map(\.path))")
    mix.add(
      plan, resultCount: found.count, isRechecked: execution.statistics.recheckCount > 0)
  }
}
