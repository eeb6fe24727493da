import HearthDocumentModel
import HearthQueryPlanning
import Testing

/// Figures (§9.1) and the nearest vectors (§4.10) in the matcher's answers.
struct ReferenceAnswerTests {
  private func documents(_ fields: [MapValue]) -> [Document] {
    fields.enumerated().map { index, fields in
      Document(
        path: path("c/d\(index)"), fields: fields, createTime: .minimum, updateTime: .minimum)
    }
  }

  private func figures(
    _ aggregations: [Aggregation], of query: StructuredQuery = query(), _ numbers: [Value]
  ) throws -> [Value] {
    let aggregation = try NormalizedAggregation(
      AggregationQuery(query, aggregations), in: .default)
    return try QueryMatcher.aggregate(aggregation, on: documents(numbers.map { ["n": $0] }))
  }

  private func figures(_ numbers: Value...) throws -> [Value] {
    try figures([sum("n"), .average(field("n"))], numbers)
  }

  @Test func sumsAreExactUntilTheEnd() throws {
    let (most, least) = (Value.integer(.max), Value.integer(.min))
    #expect(try figures(most, 1, -101)[0] == .integer(.max - 100))
    #expect(try figures(most, most)[0] == .double(18_446_744_073_709_551_616))
    #expect(try figures(most, least) == [-1, -0.5])
    #expect(try figures(5, 4.5, 3.5) == [13.0, .double(13.0 / 3)])
    #expect(try figures("x", .null, [1]) == [0, .null])
    #expect(try figures(.double(.infinity), .double(-.infinity))[0] == .double(.nan))
    #expect(try figures(1, .double(.nan)) == [.double(.nan), .double(.nan)])
  }

  /// With a sum, only documents with its field count, in the order of the field (§9.1).
  @Test func theFieldMustBePresentAndOrdersTheLimit() throws {
    #expect(try figures([.count(), sum("n")], [1, "x"]) == [2, 1])
    #expect(try figures([.count(), sum("m")], [1, 2]) == [0, 0])
    #expect(try figures([sum("n")], of: query(limit: 2), [5, 3, 4]) == [7])
    #expect(try figures([.count()], of: query(limit: 0), [5]) == [0])
    #expect(try figures([.count(upTo: 2), .count(upTo: 0), .count()], [1, 2, 3]) == [2, 0, 3])
  }

  private func ids(
    _ measure: NearestNeighbors.Measure, threshold: Double? = nil, limit: Int = 9,
    _ vectors: [[Double]]
  ) throws -> [String] {
    let query = StructuredQuery(
      collectionID: "c",
      nearest: NearestNeighbors(
        field("emb"), to: [1, 0], by: measure, limit: limit, threshold: threshold))
    let matcher = QueryMatcher(try NormalizedQuery(query, in: .default))
    return try matcher.nearest(on: documents(vectors.map { ["emb": .vector($0)] }))
      .map { $0.document.path.lastSegment ?? "" }
  }

  @Test func vectorsComeByDistanceThenName() throws {
    let vectors: [[Double]] = [[0, 1], [1, 0], [2, 0], [0, -1], [1, 0, 0]]
    #expect(try ids(.euclidean, vectors) == ["d1", "d2", "d0", "d3"])
    #expect(try ids(.dotProduct, vectors) == ["d2", "d1", "d0", "d3"])
    #expect(try ids(.cosine, vectors) == ["d1", "d2", "d0", "d3"])
    #expect(try ids(.euclidean, threshold: 1, vectors) == ["d1", "d2"])
    #expect(try ids(.dotProduct, threshold: 1, vectors) == ["d2", "d1"])
    #expect(try ids(.euclidean, limit: 1, vectors) == ["d1"])
    let error = #expect(throws: DatabaseError.self) { try ids(.cosine, [[1, 0], [0, 0]]) }
    #expect(error?.code == .failedPrecondition)
    #expect(
      error?.message
        == "Cannot compute cosine distance against a vector with a magnitude of zero.")
  }

  /// The squares of these vectors exceed the range of doubles.
  @Test func distancesOfExtremeVectors() throws {
    func distance(
      _ measure: NearestNeighbors.Measure, _ left: [Double], _ right: [Double]
    ) throws -> Double {
      try NearestNeighbors(field("emb"), to: left, by: measure, limit: 1).distance(to: right)
    }
    #expect(try distance(.euclidean, [0x3p700, 0], [0, 0x4p700]) == 0x5p700)
    #expect(try distance(.euclidean, [0x3p-700, 0], [0, 0x4p-700]) == 0x5p-700)
    #expect(try distance(.cosine, [1e300, 0], [1e-300, 0]) == 0)
    #expect(try distance(.cosine, [0, 1e-300], [1e300, 0]) == 1)
    #expect(try distance(.euclidean, [1, 0], [0, 1]) == 2.0.squareRoot())
  }
}
