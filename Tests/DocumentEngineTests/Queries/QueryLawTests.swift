import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import HearthOrderedStore
import HearthQueryPlanning
import HearthReports
import HearthStorageFormat
import TestSupport
import Testing

/// Law 2: a query under any indexes has the result of a full scan with `QueryMatcher`, or is
/// refused. The indexes that refusals propose, once created, make it run.
@Suite struct QueryLawTests {
  private static let queriesPerDatabase = 60

  @Test func everyQueryIsAnsweredRightOrRefusedWithASufficientIndex() throws {
    let count = GeneratedCases.count(unlessTold: 100_000)
    let seed = GeneratedCases.seed(count: count)
    var mix = QueryMix()
    for number in 0..<GeneratedCases.count(per: Self.queriesPerDatabase, of: count) {
      let seed = seed &+ UInt64(number)
      do {
        var session = try QuerySession(seed: seed, .turn(Int(truncatingIfNeeded: seed % 3)))
        for _ in 0..<Self.queriesPerDatabase { try session.step(&mix) }
        let report = try session.engine.verify()
        try require(report.isClean, "\(report.problems)")
      } catch {
        Issue.record("HEARTH_SEED=\(seed) HEARTH_CASES=1: \(error)")
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

/// One database whose documents and indexes change between queries.
private struct QuerySession {
  let engine: Engine
  private var random: SplitMix64
  private let generator = QueryGenerator()
  private var documents: [Document] = []
  private var queries: [StructuredQuery] = []

  private let settings: EngineSettings

  init(seed: UInt64, _ settings: EngineSettings) throws {
    random = SplitMix64(seed: seed)
    var settings = settings
    if random.oneIn(2) { settings.emptyRangeInterval = 0 }
    self.settings = settings
    engine = try Engine(MemoryStore(), settings: settings)
    // Numbers above 127 take more than one byte.
    let past = (0..<150).map { Write.set(ResourcePath(unchecked: ["past", "d\($0)"]), MapValue()) }
    if random.oneIn(2) {
      _ = try engine.commit(past)
      _ = try engine.recursiveDelete(ResourcePath("past"))
    }
    let count = random.pick([15, 25, 40])
    for document in generator.documents(count: count, using: &random) {
      try set(document.path, document.fields)
    }
    let indexes = generator.indexes(using: &random)
    for index in indexes.composites { try create(index.definition) }
    if random.oneIn(3) { try addMerge() }
    for override in indexes.overrides {
      try engine.setOverride(
        override.collectionGroup, override.field, Array(override.indexes.keys))
    }
  }

  /// Adds two composite indexes that only a merge uses, and the query for it (§5.5).
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
    } catch {
      // Several long values make an entry too large, which is refused and changes nothing.
      guard error.code == .invalidArgument else { throw error }
      return
    }
    documents.removeAll { $0.path == path }
    documents.append(
      Document(path: path, fields: fields, createTime: .minimum, updateTime: .minimum))
  }

  private mutating func create(_ definition: IndexDefinition) throws {
    do {
      try engine.createIndex(definition)
    } catch {
      if error.code == .alreadyExists { return }
      // A document whose entries would be too large makes room for the index.
      guard error.code == .invalidArgument,
        let document = documents.first(where: { error.message.hasPrefix("\($0.path): ") })
      else { throw error }
      _ = try engine.commit([.delete(document.path)])
      documents.removeAll { $0.path == document.path }
      try create(definition)
    }
  }

  mutating func step(_ mix: inout QueryMix) throws {
    try changeDocuments()
    if queries.count < 12 || random.oneIn(3) { queries.append(try likelyQuery()) }
    let query = random.oneIn(2) ? queries[queries.count - 1] : random.pick(queries)
    let normalized = try NormalizedQuery(query, in: .default)
    if let missing = try missingIndex(normalized) {
      mix.addRefusal()
      try createIndexes(for: normalized, missing, &mix)
    }
    try check(query, normalized, &mix)
  }

  /// Returns one of three random queries, preferring one with results.
  private mutating func likelyQuery() throws -> StructuredQuery {
    // A query whose plan may be kept.
    if random.oneIn(3), let known = queries.randomElement(using: &random) {
      let sibling = generator.sibling(of: known, using: &random)
      if (try? NormalizedQuery(sibling, in: .default)) != nil { return sibling }
    }
    for _ in 0..<2 {
      let query = generator.query(using: &random)
      let normalized = try NormalizedQuery(query, in: .default)
      // Most queries are refused at first, and the creation of their indexes takes most of a
      // session's time.
      if try missingIndex(normalized) != nil, !random.oneIn(8) { continue }
      if !QueryMatcher(normalized).run(on: documents).isEmpty { return query }
    }
    return generator.query(using: &random)
  }

  private mutating func changeDocuments() throws {
    guard random.oneIn(4) else { return }
    for _ in 0..<random.pick([1, 2, 3]) {
      let path = generator.path(using: &random)
      if random.oneIn(3) {
        _ = try engine.commit([.delete(path)])
        documents.removeAll { $0.path == path }
      } else {
        try set(path, generator.fields(using: &random))
      }
    }
  }

  // MARK: Indexes

  private func missingIndex(
    _ query: NormalizedQuery, _ indexes: IndexSet? = nil
  ) throws -> MissingIndex? {
    do {
      _ = try Planner.plan(query, indexes: indexes ?? engine.readView().catalog.indexes)
      return nil
    } catch {
      guard let missing = (error as? DatabaseError)?.missingIndex else { throw error }
      return missing
    }
  }

  /// Creates the missing indexes: each alternative of the filter can lack one of its own.
  private mutating func createIndexes(
    for query: NormalizedQuery, _ first: MissingIndex, _ mix: inout QueryMix
  ) throws {
    var missing: MissingIndex? = first
    for _ in query.disjuncts.indices {
      guard let proposed = missing else { return }
      if let smaller = proposed.smaller, random.oneIn(4) {
        try checkSmallest(smaller, for: query)
        mix.addSmallerIndex()
      }
      try add(random.oneIn(5) ? proposed.index : proposed.smaller ?? proposed.index)
      missing = try missingIndex(query)
    }
    try require(missing == nil, "\(query) is refused for \(missing.debugDescription)")
  }

  /// Checks that the smaller index doesn't make the query run if any one of its columns is missing.
  private func checkSmallest(_ smaller: IndexDefinition, for query: NormalizedQuery) throws {
    for index in smaller.columns.indices.dropLast() {
      var columns = smaller.columns
      columns.remove(at: index)
      var indexes = try engine.readView().catalog.indexes
      indexes.add(IndexDefinition(smaller.collectionGroup, columns, scope: smaller.scope))
      try require(
        missingIndex(query, indexes) != nil,
        "\(smaller) doesn't need \(smaller.columns[index]) for \(query)")
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

  // MARK: Results

  /// Compares the query's results with the matcher's.
  private mutating func check(
    _ query: StructuredQuery, _ normalized: NormalizedQuery, _ mix: inout QueryMix
  ) throws {
    let expected = QueryMatcher(normalized).run(on: documents)
    let view = try engine.readView()
    let execution = try view.run(query)
    var found: [Document] = []
    while let record = try execution.nextDocument() { found.append(try record.document()) }
    try require(
      found.map(\.path) == expected.map(\.path)
        && found.map(\.fields) == expected.map { $0.fields(query.projection) },
      "\(query)\n\(execution.plan)\nfound \(found.map(\.path)), "
        + "expected \(expected.map(\.path))")
    let statistics = execution.statistics
    try require(
      try execution.plan == view.plan(query), "\(query) runs by\n\(execution.plan)")
    mix.add(execution.plan, resultCount: found.count, isRechecked: statistics.recheckCount > 0)
    if statistics.entriesCached + statistics.testCount > 0 { mix.addKeptScan() }
    if random.oneIn(8) { try checkEntries(view, query, normalized.orders, expected, statistics) }
    if random.oneIn(8) { try checkPages(view, query, expected, statistics) }
    if random.oneIn(8) { try checkBoundedPages(view, query, expected) }
  }

  /// Compares the results with those of bounded pages, read by one execution, or by a first one and
  /// another for the rest.
  private mutating func checkBoundedPages(
    _ view: ReadView, _ query: StructuredQuery, _ expected: [Document]
  ) throws {
    let bounds =
      random.oneIn(4)
      ? QueryPage.Bounds(byteCount: 100) : QueryPage.Bounds(count: random.pick([1, 2, 5]))
    guard query.nearest == nil else { return }
    var execution = try view.run(query)
    var page = try execution.nextPage(bounds)
    var found = try page.documents.map { try $0.document() }
    if random.oneIn(2) {
      execution = try view.continuation(of: query, after: found.count, deadline: nil)
    }
    while page.hasMore {
      try require(page.isWithin(bounds), "\(query) has a page of \(page.documents.count)")
      page = try execution.nextPage(bounds)
      found += try page.documents.map { try $0.document() }
    }
    try require(
      found.map(\.path) == expected.map(\.path)
        && found.map(\.fields) == expected.map { $0.fields(query.projection) },
      "\(query) found \(found.map(\.path)) in bounded pages, expected \(expected.map(\.path))")
  }

  /// Compares the results that are read in pages, and their number. They cost the same entries.
  private func checkPages(
    _ view: ReadView, _ query: StructuredQuery, _ expected: [Document],
    _ statistics: ExecutionStatistics
  ) throws {
    let execution = try view.run(query)
    var paths: [ResourcePath] = []
    try execution.readDocuments {
      paths.append($0.path)
      return true
    }
    try require(
      paths == expected.map(\.path),
      "\(query)\n\(execution.plan)\nfound \(paths) in pages, expected \(expected.map(\.path))")
    let count = try view.run(query).countResults()
    try require(
      count == paths.count, "\(query)\n\(execution.plan)\ncounts \(count) of \(paths)")
    guard settings.scanCacheByteCount == 0 else { return }
    let entriesRead = execution.statistics.entriesRead
    try require(
      entriesRead == statistics.entriesRead,
      "\(query)\n\(execution.plan) reads \(entriesRead) entries in pages, not "
        + "\(statistics.entriesRead)")
  }

  /// Compares the entries with the documents. A read without documents costs the same entries.
  private func checkEntries(
    _ view: ReadView, _ query: StructuredQuery, _ orders: [Order], _ expected: [Document],
    _ statistics: ExecutionStatistics
  ) throws {
    let execution = try view.run(query)
    for document in expected {
      try require(try execution.nextEntry(), "\(query)\n\(execution.plan) ends early")
      for order in orders where !order.field.isDocumentID {
        let value = try execution.value(of: order.field)
        try require(
          value == document[order.field],
          "\(query)\n\(execution.plan)\n\(order) of \(document.path) is \(value.debugDescription)"
        )
      }
    }
    try require(try !execution.nextEntry(), "\(query)\n\(execution.plan) goes on")
    // Values are not kept in memory, where a second run would find what the first one didn't.
    guard settings.scanCacheByteCount == 0 else { return }
    let scans = execution.scanStatistics.joined()
    try require(
      execution.statistics.entriesRead == statistics.entriesRead
        && scans.reduce(0) { $0 + $1.entriesRead } == statistics.entriesRead,
      "\(query)\n\(execution.plan) reads \(scans) and \(statistics)")
  }
}

extension QueryPage {
  /// Whether the page has no result that it should have left to the next one.
  fileprivate func isWithin(_ bounds: Bounds) -> Bool {
    documents.count <= bounds.count
      && documents.dropLast().reduce(0) { $0 + $1.byteCount } < bounds.byteCount
  }
}

extension Document {
  /// Returns the fields that a query's results carry (§4.9).
  fileprivate func fields(_ projection: [FieldPath]?) -> MapValue {
    guard let projection else { return fields }
    var projected = MapValue()
    for field in projection {
      guard !field.isDocumentID, let value = self[field] else { continue }
      projected.set(value, at: field)
    }
    return projected
  }
}
