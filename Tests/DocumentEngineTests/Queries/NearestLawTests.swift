import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import HearthQueryPlanning
import HearthReports
import TestSupport
import Testing

/// A query for the nearest vectors has the matcher's result over all documents: the same ones in
/// the same order, with the same distances.
@Suite struct NearestLawTests {
  private static let queriesPerDatabase = 25

  @Test func everyNearestQueryEqualsTheReference() throws {
    let seed = GeneratedCases.seed()
    var mix = NearestMix()
    for number in 0..<GeneratedCases.count(per: Self.queriesPerDatabase) {
      let seed = seed &+ UInt64(number)
      do {
        var database = try LawDatabase(seed: seed)
        for _ in 0..<Self.queriesPerDatabase { try step(&database, &mix) }
        let report = try database.engine.verify()
        guard report.isClean else { throw LawBroken("\(report.problems)") }
      } catch {
        Issue.record("HEARTH_SEED=\(seed) HEARTH_CASES=1: \(error)")
        return
      }
    }
    mix.check()
  }

  private func step(_ database: inout LawDatabase, _ mix: inout NearestMix) throws {
    try database.changeDocuments()
    let query = likely(&database)
    let normalized = try NormalizedQuery(query, in: .default)
    let expected = Result { () throws(DatabaseError) in
      try QueryMatcher(normalized).nearest(on: database.documents)
        .map { ($0.document.path, expectedFields($0, query)) }
    }
    let served = try database.served { view throws(DatabaseError) in try view.run(query) }
    guard let execution = served else { return }
    let found = Result { () throws(DatabaseError) in
      var results: [(ResourcePath, MapValue)] = []
      while let document = try execution.nextDocument() {
        results.append((document.path, try document.fields()))
      }
      return results
    }
    switch (expected, found) {
    case (.success(let expected), .success(let found)):
      guard found.map(\.0) == expected.map(\.0), found.map(\.1) == expected.map(\.1) else {
        throw LawBroken("\(query)\n\(execution.plan)\nfound \(found)\nexpected \(expected)")
      }
      mix.add(execution, resultCount: found.count)
    case (.failure(let expected), .failure(let found)):
      guard found.message == expected.message, found.code == expected.code else {
        throw LawBroken("\(found), not \(expected)")
      }
      mix.failureCount += 1
    default: throw LawBroken("\(query)\nfound \(found)\nexpected \(expected)")
    }
  }

  /// Returns one of three random queries, preferring one that has results or fails.
  private func likely(_ database: inout LawDatabase) -> StructuredQuery {
    var last = attempt(&database)
    for _ in 0..<2 where isEmpty(last, database) { last = attempt(&database) }
    return last
  }

  private func isEmpty(_ query: StructuredQuery, _ database: LawDatabase) -> Bool {
    guard let normalized = try? NormalizedQuery(query, in: .default) else { return true }
    let neighbors = try? QueryMatcher(normalized).nearest(on: database.documents)
    return neighbors?.isEmpty ?? false
  }

  private func attempt(_ database: inout LawDatabase) -> StructuredQuery {
    while true {
      var query = database.generator.nearestQuery(using: &database.random)
      vary(&query, using: &database.random)
      if (try? NormalizedQuery(query, in: .default)) != nil { return query }
    }
  }

  private func vary(_ query: inout StructuredQuery, using random: inout SplitMix64) {
    let field = FieldPath(unchecked: ["a"])
    if random.oneIn(6) {
      let direction = random.pick([SortDirection.ascending, .descending])
      query.orders = [Order(random.pick([.documentID, field]), direction)]
    }
    if random.oneIn(30) {
      query.nearest?.measure = .cosine
      query.nearest?.vector = [0, 0]
    }
    if query.filter == nil, random.oneIn(4) {
      query.filter = .field(field, .in, .array([1, 2, .string("x")]))
    }
    if random.oneIn(3) {
      // A distance may be stored as `m.x`: one name, unlike the field of a map.
      let masks = [
        [["a"]], [["distance"], ["b"]], [["m", "x"]], [["m.x"]], [["a"], ["a", "b"]], [],
      ]
      query.projection = random.pick(masks).map { FieldPath(unchecked: $0) }
    }
  }

  /// Returns a result's fields by §4.10: the distance replaces a field of its name, then the mask
  /// applies.
  private func expectedFields(
    _ neighbor: QueryMatcher.Neighbor, _ query: StructuredQuery
  ) -> MapValue {
    var fields = neighbor.document.fields
    if let name = query.nearest?.distanceField { fields[name] = .double(neighbor.distance) }
    guard let projection = query.projection else { return fields }
    var masked = MapValue()
    for path in projection {
      if let value = fields[path] { masked.set(value, at: path) }
    }
    return masked
  }
}

/// Counts of the generated queries by their properties.
private struct NearestMix {
  var failureCount = 0
  private var total = 0
  private var nonEmpty = 0
  private var unions = 0
  private var filtered = 0
  private var fewerThanRead = 0

  mutating func add(_ execution: QueryExecution, resultCount: Int) {
    total += 1
    nonEmpty += resultCount > 0 ? 1 : 0
    unions += execution.plan.branches.count > 1 ? 1 : 0
    filtered += execution.plan.branches[0].scans[0].index.columns.count > 1 ? 1 : 0
    let statistics = execution.statistics
    // Only the winners are read, and documents that their entries can't decide about.
    #expect(statistics.documentsRead <= resultCount + statistics.recheckCount)
    #expect(statistics.vectorEntriesRead == statistics.entriesRead)
    fewerThanRead += resultCount < statistics.entriesRead ? 1 : 0
  }

  func check() {
    print(
      "nearest queries \(total), non-empty \(nonEmpty), over unions \(unions), filtered "
        + "\(filtered), with candidates that lost \(fewerThanRead), failing \(failureCount)")
    guard GeneratedCases.areMany(total) else { return }
    #expect(nonEmpty * 10 >= total * 4)
    for count in [unions, filtered, fewerThanRead] { #expect(count * 20 >= total) }
    #expect(failureCount * 100 >= total)
  }
}
