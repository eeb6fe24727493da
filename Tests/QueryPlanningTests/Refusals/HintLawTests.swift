import HearthDocumentModel
import HearthQueryPlanning
import TestSupport
import Testing

/// For every refused query the proposed index is sufficient (§5.7), and every column of the smaller
/// one is necessary (§5.8).
struct HintLawTests {
  private let generator = QueryGenerator()

  @Test func hintsAreSufficientAndSmallerOnesNecessary() throws {
    let seed = GeneratedCases.seed()
    var mix = Mix()
    var round: UInt64 = 0
    while mix.refused < GeneratedCases.count {
      round += 1
      try #require(round < 100 * UInt64(GeneratedCases.count), "too few refusals: \(mix)")
      var random = SplitMix64(seed: seed &+ round)
      let query = try query(using: &random)
      let indexes = indexes(for: query, using: &random)
      guard let missing = missingIndex(of: query, indexes) else { continue }
      mix.add(missing, query)
      let check = HintCheck(query: query, indexes: indexes, name: "seed \(seed) round \(round)")
      // If there are several alternatives, each waits for other indexes.
      if query.disjuncts.count == 1 {
        let isServedThen = missingIndex(of: query, indexes.built) == nil
        #expect(missing.isBuilding == isServedThen, "seed \(seed) round \(round)")
      }
      for completion in try check.completions(missing) {
        #expect(missingIndex(of: query, completion) == nil, "seed \(seed) round \(round)")
      }
    }
    mix.check()
  }

  private func query(using random: inout SplitMix64) throws -> NormalizedQuery {
    switch Int.random(in: 0..<20, using: &random) {
    case 0: try NormalizedQuery(generator.nearestQuery(using: &random), in: .default)
    case 1...3:
      try NormalizedAggregation(generator.aggregation(using: &random), in: .default).query
    default: try NormalizedQuery(generator.query(using: &random), in: .default)
    }
  }

  /// Returns random indexes. They are any indexes, or those that serve the query except one, which
  /// is missing or being built; or any indexes beside a part of the indexes of a merge, or beside
  /// the missing index while it is built.
  private func indexes(
    for query: NormalizedQuery, using random: inout SplitMix64
  ) -> IndexSet {
    if random.oneIn(4) {
      var indexes = generator.indexes(for: query, using: &random)
      if !indexes.composites.isEmpty {
        let place = Int.random(in: indexes.composites.indices, using: &random)
        if random.oneIn(3) {
          indexes.composites[place].state = .creating
        } else {
          indexes.composites.remove(at: place)
        }
      }
      return indexes
    }
    var indexes = generator.indexes(using: &random)
    guard let missing = missingIndex(of: query, indexes)?.index else { return indexes }
    let columns = missing.columns
    if random.oneIn(10) {
      indexes.add(missing, state: .creating)
    } else if missing.vector == nil, columns.count > 2, random.oneIn(2) {
      let start = Int.random(in: 1..<columns.count, using: &random)
      var prefix = columns[..<start].shuffled(using: &random)
      prefix.removeLast(Int.random(in: 1...prefix.count, using: &random))
      let part = IndexDefinition("c", prefix + columns[start...], scope: missing.scope)
      if part.singleField == nil, part.columns.count > 1 { indexes.add(part) }
    }
    return indexes
  }

  private func missingIndex(of query: NormalizedQuery, _ indexes: IndexSet) -> MissingIndex? {
    do {
      _ = try Planner.plan(query, indexes: indexes)
      return nil
    } catch {
      return error.missingIndex
    }
  }
}

/// Counts of the refusals by their kinds.
private struct Mix {
  private(set) var refused = 0
  private var counts: [String: Int] = [:]

  mutating func add(_ missing: MissingIndex, _ query: NormalizedQuery) {
    refused += 1
    count("smaller", missing.smaller != nil)
    count("single field", missing.index.singleField != nil)
    count("building", missing.isBuilding)
    count("several alternatives", query.disjuncts.count > 1)
    count("nearest", query.nearest != nil)
    count("aggregation", !query.aggregatedFields.isEmpty)
    count("collection group", missing.index.scope == .collectionGroup)
  }

  private mutating func count(_ kind: String, _ isOne: Bool) {
    counts[kind, default: 0] += isOne ? 1 : 0
  }

  func check() {
    for (kind, count) in counts.sorted(by: { $0.key < $1.key }) { print("\(kind): \(count)") }
    guard GeneratedCases.areMany(refused) else { return }
    for (kind, count) in counts { #expect(count * 100 >= refused, "too few: \(kind)") }
  }
}
