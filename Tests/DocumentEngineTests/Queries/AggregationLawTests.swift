import HearthDocumentEngine
import HearthDocumentModel
import HearthQueryPlanning
import TestSupport
import Testing

/// An aggregation computed from index entries equals, bit for bit, the sum over the documents that
/// the matcher finds.
@Suite struct AggregationLawTests {
  private static let queriesPerDatabase = 25

  @Test func everyAggregationEqualsTheReference() throws {
    let seed = GeneratedCases.seed()
    var mix = AggregationMix()
    for number in 0..<GeneratedCases.count(per: Self.queriesPerDatabase) {
      let seed = seed &+ UInt64(number)
      do {
        var database = try LawDatabase(seed: seed)
        for _ in 0..<Self.queriesPerDatabase { try step(&database, &mix) }
      } catch {
        Issue.record("HEARTH_SEED=\(seed) HEARTH_CASES=1: \(error)")
        return
      }
    }
    mix.check()
  }

  private func step(_ database: inout LawDatabase, _ mix: inout AggregationMix) throws {
    try database.changeDocuments()
    let aggregation = likely(&database)
    let normalized = try NormalizedAggregation(aggregation, in: .default)
    let expected = Result { () throws(DatabaseError) in
      // If no result is asked for, no vector can fail the query.
      guard normalized.query.nearest == nil || normalized.documentLimit != 0 else {
        return normalized.figures.map { _ in Value.integer(0) }
      }
      return try QueryMatcher.aggregate(normalized, on: database.documents)
    }
    let served = try database.served { view throws(DatabaseError) in
      _ = try view.plan(aggregation)
      return view
    }
    guard let view = served else { return }
    let found = Result { () throws(DatabaseError) in try view.aggregate(aggregation) }
    switch (expected, found) {
    case (.success(let expected), .success(let found)):
      guard found.values.map(\.value) == expected,
        found.values.map(\.alias) == normalized.figures.map(\.alias)
      else { throw LawBroken("\(aggregation)\nfound \(found.values), expected \(expected)") }
      let isEmpty = expected.allSatisfy { $0 == 0 || $0 == .null }
      mix.add(normalized, isEmpty: isEmpty, found.statistics)
    case (.failure(let expected), .failure(let found)):
      guard found.message == expected.message else { throw LawBroken("\(found), not \(expected)") }
      mix.failureCount += 1
    default: throw LawBroken("\(aggregation)\nfound \(found), expected \(expected)")
    }
  }

  /// Returns one of three random aggregations, preferring one that has results or fails.
  private func likely(_ database: inout LawDatabase) -> AggregationQuery {
    var last = attempt(&database)
    for _ in 0..<2 where isEmpty(last, database) { last = attempt(&database) }
    return last
  }

  private func isEmpty(_ aggregation: AggregationQuery, _ database: LawDatabase) -> Bool {
    guard let normalized = try? NormalizedAggregation(aggregation, in: .default) else {
      return true
    }
    let values = try? QueryMatcher.aggregate(normalized, on: database.documents)
    return values?.allSatisfy { $0 == 0 || $0 == .null } ?? false
  }

  private func attempt(_ database: inout LawDatabase) -> AggregationQuery {
    var aggregation = database.generator.aggregation(using: &database.random)
    guard database.random.oneIn(6) else { return aggregation }
    aggregation.query = database.generator.nearestQuery(using: &database.random)
    if database.random.oneIn(10) {
      aggregation.query.nearest?.measure = .cosine
      aggregation.query.nearest?.vector = [0, 0]
    }
    return aggregation
  }
}

/// Counts of the generated aggregations by their properties.
private struct AggregationMix {
  var failureCount = 0
  private var total = 0
  private var nonEmpty = 0
  private var withSums = 0
  private var nearest = 0
  private var unions = 0
  private var readingDocuments = 0

  mutating func add(
    _ aggregation: NormalizedAggregation, isEmpty: Bool, _ statistics: ExecutionStatistics
  ) {
    total += 1
    nonEmpty += isEmpty ? 0 : 1
    withSums += aggregation.query.aggregatedFields.isEmpty ? 0 : 1
    nearest += aggregation.query.nearest == nil ? 0 : 1
    unions += aggregation.query.disjuncts.count > 1 ? 1 : 0
    // Documents are read only to decide about cut values.
    #expect(statistics.documentsRead == statistics.recheckCount)
    readingDocuments += statistics.documentsRead > 0 ? 1 : 0
  }

  func check() {
    print(
      "aggregations \(total), non-empty \(nonEmpty), with sums \(withSums), over nearest "
        + "\(nearest), over unions \(unions), reading documents \(readingDocuments), failing "
        + "\(failureCount)")
    guard GeneratedCases.areMany(total) else { return }
    #expect(nonEmpty * 10 >= total * 4)
    #expect(withSums * 10 >= total * 4)
    for count in [nearest, unions, readingDocuments] { #expect(count * 100 >= total) }
    #expect(failureCount > 0)
  }
}
