import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import HearthOrderedStore
import HearthQueryPlanning
import HearthReports
import TestSupport
import Testing

/// Law: for any tuning while documents change, counts are those of the reference, and documents
/// that entries carry are the documents.
@Suite struct TuningLawTests {
  private static let stepsPerDatabase = 100

  @Test func tuningsChangeNoAnswer() throws {
    let seed = GeneratedCases.seed()
    var mix = TuningMix()
    for number in 0..<GeneratedCases.count(per: Self.stepsPerDatabase) {
      let seed = seed &+ UInt64(number)
      do {
        var session = try TuningSession(seed: seed)
        for _ in 0..<Self.stepsPerDatabase { try session.step(&mix) }
        try session.finish()
      } catch {
        Issue.record("HEARTH_SEED=\(seed) HEARTH_CASES=1: \(error)")
        return
      }
    }
    mix.check()
  }

  /// Between two chunks of the first counting, and of the rewriting of entries, documents change on
  /// both sides of the place that it has reached.
  @Test func writesGoOnWhileTuningsAreMade() throws {
    var settings = EngineSettings()
    settings.build.chunkDocumentCount = 300
    let fixture = try EngineFixture(settings: settings)
    let index = IndexDefinition(
      "c", ["a", "b"].map { IndexColumn(FieldPath(unchecked: [$0]), .ascending) })
    try fixture.engine.createIndex(index)
    for number in 0..<1300 {
      try fixture.set("c/d\(number)", ["a": .integer(Int64(number % 3)), "b": 1])
    }
    var random = SplitMix64(seed: GeneratedCases.seed())
    func change() throws {
      for _ in 0..<40 {
        let path = try ResourcePath("c/d\(Int.random(in: 0..<1400, using: &random))")
        let fields: MapValue = ["a": .integer(Int64.random(in: 0..<3, using: &random)), "b": 2]
        _ = try fixture.engine.commit([random.oneIn(3) ? .delete(path) : .set(path, fields)])
      }
    }
    var chunkCount = 0
    var failure: (any Error)?
    func progress(_: BuildProgress) {
      chunkCount += 1
      do { try change() } catch { failure = error }
      do { try fixture.expectClean("chunk \(chunkCount)") } catch { failure = error }
    }
    let counts = KeptCounts.Definition("c", [FieldPath(unchecked: ["a"])])
    try fixture.engine.keepCounts(counts, progress: progress)
    try fixture.engine.setCovering(true, of: index, progress: progress)
    try fixture.engine.setCovering(false, of: index, progress: progress)
    #expect(failure == nil)
    #expect(chunkCount > 6)
    try fixture.expectClean()
  }
}

private struct TuningMix {
  var counted = 0
  var kept = 0
  var simple = 0
  var pages = 0
  var covered = 0
  var nonEmpty = 0

  func check() {
    print(
      "counts \(counted), by kept counts \(kept), the simple way \(simple), "
        + "pages \(pages), from entries \(covered), "
        + "non-empty \(nonEmpty)")
    guard GeneratedCases.areMany() else { return }
    #expect(kept * 12 > counted)
    #expect(simple > 0)
    #expect(covered * 12 > pages)
    #expect(nonEmpty * 10 >= (counted + pages) * 4)
  }
}

private struct TuningSession {
  private static let a = FieldPath(unchecked: ["a"])
  private static let b = FieldPath(unchecked: ["b"])
  private static let long = Value.string(String(repeating: "x", count: 1600))
  private static let values: [Value] = [
    1, .double(1), 2, .double(0), .double(-0.0), .null, .double(.nan), "s", long, [1, 2], ["k": 1],
    true,
  ]

  private let store = MemoryStore()
  private let settings: EngineSettings
  private var engine: Engine
  private var random: SplitMix64
  private var documents: [ResourcePath: MapValue] = [:]
  private let index: IndexDefinition

  init(seed: UInt64) throws {
    random = SplitMix64(seed: seed)
    settings = random.oneIn(2) ? .uncached : EngineSettings()
    engine = try Engine(store, settings: settings)
    index = IndexDefinition(
      "c",
      [
        IndexColumn(Self.a, .ascending),
        IndexColumn(Self.b, random.oneIn(2) ? .ascending : .descending),
      ], scope: random.oneIn(2) ? .collection : .collectionGroup)
    try engine.createIndex(index)
    for _ in 0..<20 { try write() }
  }

  mutating func step(_ mix: inout TuningMix) throws {
    switch Int.random(in: 0..<12, using: &random) {
    case 0: try tune()
    case 1, 2, 3: try write()
    case 4: engine = try Engine(store, settings: settings)
    case 5, 6: try page(&mix)
    default: try count(&mix)
    }
  }

  func finish() throws {
    let report = try engine.verify()
    guard report.isClean else { throw LawBroken("\(report.problems)") }
  }

  private mutating func write() throws {
    let writes = (0...Int.random(in: 0..<3, using: &random)).map { _ -> Write in
      let path = ResourcePath(
        unchecked: random.pick([["c"], ["c"], ["p", "x", "c"]])
          + ["d\(Int.random(in: 0..<12, using: &random))"])
      guard !random.oneIn(4) else {
        documents[path] = nil
        return .delete(path)
      }
      var fields: MapValue = ["n": .integer(Int64.random(in: 0..<100, using: &random))]
      for name in ["a", "b"] where !random.oneIn(6) { fields[name] = value() }
      if random.oneIn(20) { fields["n"] = .string(String(repeating: "n", count: 5000)) }
      documents[path] = fields
      return .set(path, fields)
    }
    _ = try engine.commit(writes)
  }

  private mutating func value() -> Value {
    random.oneIn(2) ? random.pick([1, 2, "s"]) : random.pick(Self.values)
  }

  private mutating func tune() throws {
    let definition = KeptCounts.Definition(
      "c", random.pick([[], [Self.a], [Self.b], [Self.a, Self.b]]),
      scope: random.oneIn(3) ? .collectionGroup : .collection)
    let isKept = try engine.readView().catalog.tunings.counts.contains {
      $0.definition == definition
    }
    switch Int.random(in: 0..<4, using: &random) {
    case 0: try engine.setCovering(!random.oneIn(3), of: index)
    case 1 where isKept: try engine.dropCounts(definition)
    default: if !isKept { try engine.keepCounts(definition) }
    }
  }

  private mutating func query() -> StructuredQuery {
    var query = StructuredQuery(collectionID: "c")
    query.allDescendants = index.scope == .collectionGroup && random.oneIn(2)
    if !query.allDescendants, random.oneIn(4) {
      query.parent = ResourcePath(unchecked: ["p", "x"])
    }
    let conditions = [Self.a, Self.b].compactMap { field -> Filter? in
      switch Int.random(in: 0..<4, using: &random) {
      case 0: nil
      case 1: .field(field, .in, .array([value(), value()].filter { $0 != .null && !$0.isNaN }))
      default: equality(field, value())
      }
    }
    query.filter = conditions.isEmpty ? nil : .and(conditions)
    return query
  }

  private func equality(_ field: FieldPath, _ value: Value) -> Filter {
    if case .null = value { return .unary(field, .isNull) }
    return value.isNaN ? .unary(field, .isNaN) : .field(field, .equal, value)
  }

  private mutating func count(_ mix: inout TuningMix) throws {
    var query = query()
    if random.oneIn(4) { query.offset = random.pick([1, 3]) }
    if random.oneIn(4) { query.limit = random.pick([1, 3]) }
    let aggregation = AggregationQuery(query, [.count(upTo: random.oneIn(4) ? 2 : nil)])
    guard let normalized = try? NormalizedAggregation(aggregation, in: .default) else { return }
    let expected = try QueryMatcher.aggregate(normalized, on: stored)
    do {
      let found = try engine.readView().aggregate(aggregation)
      guard found.values.map(\.value) == expected else {
        throw LawBroken("\(aggregation)\nfound \(found.values), expected \(expected)")
      }
      if case .integer(let count)? = found.values.first?.value, aggregation.isOneCount,
        let simple = try engine.readView().simpleKeptCount(of: query)
      {
        guard simple == count else {
          throw LawBroken("\(query)\nfound \(simple) the simple way, not \(count)")
        }
        mix.simple += 1
      }
      mix.counted += 1
      mix.kept += found.statistics.keptCountsRead > 0 ? 1 : 0
      mix.nonEmpty += expected == [0] ? 0 : 1
    } catch let error as DatabaseError where error.missingIndex != nil {
      // Refused: the index may be of the other scope.
    }
  }

  private mutating func page(_ mix: inout TuningMix) throws {
    var query = StructuredQuery(collectionID: "c", filter: equality(Self.a, value()))
    query.allDescendants = index.scope == .collectionGroup
    query.orders = [
      Order(Self.b, index.columns[1].mode == .ascending ? .ascending : .descending)
    ]
    if random.oneIn(2) { query.limit = 3 }
    let expected = QueryMatcher(try NormalizedQuery(query, in: .default)).run(on: stored)
    let execution = try engine.readView().run(query)
    var found: [Document] = []
    while let document = try execution.nextDocument() { found.append(try document.document()) }
    guard found.map(\.path) == expected.map(\.path), found.map(\.fields) == expected.map(\.fields)
    else { throw LawBroken("\(query)\nfound \(found), expected \(expected)") }
    guard !found.isEmpty else { return }
    mix.pages += 1
    mix.nonEmpty += 1
    let isCovering = try !engine.readView().catalog.tunings.covering.isEmpty
    mix.covered += isCovering ? 1 : 0
    let statistics = execution.statistics
    let isShort = found.allSatisfy { $0.fields["n"]?.typeClass == .number }
    if isCovering, isShort, settings.documentCacheByteCount == 0,
      statistics.documentsRead > statistics.recheckCount
    {
      throw LawBroken("\(query) reads documents: \(statistics)")
    }
  }

  private var stored: [Document] {
    documents.map {
      Document(path: $0.key, fields: $0.value, createTime: .minimum, updateTime: .minimum)
    }
  }
}

extension AggregationQuery {
  /// Whether the query is one for the number of results only.
  fileprivate var isOneCount: Bool { aggregations == [.count()] }
}
