import HearthDocumentModel
package import HearthQueryPlanning

extension QueryGenerator {
  /// Returns a valid aggregation over a query of any kind but for the nearest vectors.
  package func aggregation(using random: inout some RandomNumberGenerator) -> AggregationQuery {
    while true {
      let query = query(using: &random)
      let aggregation = AggregationQuery(query, figures(of: query, using: &random))
      if (try? NormalizedAggregation(aggregation, in: database)) != nil { return aggregation }
    }
  }

  private func figures(
    of query: StructuredQuery, using random: inout some RandomNumberGenerator
  ) -> [Aggregation] {
    (0..<random.pick([1, 1, 2, 2, 3])).map { _ in
      let field = random.pick(QueryGenerator.paths)
      // Names alone can't be added up.
      switch query.collectionID.isEmpty ? 0 : Int.random(in: 0..<5, using: &random) {
      case 0, 1:
        return .count(upTo: random.oneIn(3) ? Int.random(in: 0...4, using: &random) : nil)
      case 2, 3: return .sum(field)
      default: return .average(field)
      }
    }
  }

  /// Returns a valid query for the nearest vectors (§4.10). Few of the vectors that it meets are
  /// all zero.
  package func nearestQuery(using random: inout some RandomNumberGenerator) -> StructuredQuery {
    valid {
      var query = source(using: &random)
      var filters: [Filter] = []
      for field in QueryGenerator.paths.shuffled(using: &random).prefix(random.pick([0, 0, 1, 2])) {
        filters.append(
          random.oneIn(3) ? range(on: field, using: &random) : equality(on: field, using: &random))
      }
      if !filters.isEmpty { query.filter = .and(filters) }
      if random.oneIn(8) { query.orders = [Order(random.pick(QueryGenerator.paths))] }
      query.nearest = nearest(using: &random)
      return query
    }
  }

  private func nearest(using random: inout some RandomNumberGenerator) -> NearestNeighbors {
    NearestNeighbors(
      QueryGenerator.embedding, to: vector(using: &random),
      by: random.pick(NearestNeighbors.Measure.allCases),
      limit: random.oneIn(4) ? 1_000 : Int.random(in: 1...5, using: &random),
      distanceField: random.oneIn(3) ? random.pick(["distance", "a", "m.x"]) : nil,
      threshold: random.oneIn(3) ? random.pick([0, 0.5, 1, 2, -1]) : nil)
  }

  /// Returns a vector near the origin, so that distances are often equal; mostly of two dimensions.
  func vector(using random: inout some RandomNumberGenerator) -> [Double] {
    if random.oneIn(60) { return [0, 0] }
    let first = random.oneIn(30) ? 1e200 : random.pick([1, 1, 2, -1, 0.5])
    let count = random.oneIn(5) ? 2 : 1
    return [first] + (0..<count).map { _ in random.pick([0, 0, 1, -1, 2]) }
  }
}
