public import HearthDocumentModel
public import HearthQueryPlanning
import HearthDocumentEngine

extension QueryBuilding {
  /// Returns figures over the results, computed from index entries alone (§9.1).
  ///
  /// ```swift
  /// let figures = try cities.aggregate([.count(as: "cities"), .sum("population", as: "people")])
  /// print(figures["cities"], figures["people"])
  /// ```
  ///
  /// If a sum or an average is among them, all figures count only documents that have all of the
  /// aggregated fields. Limits, offsets and cursors apply before the figures are computed.
  ///
  /// - Parameters:
  ///   - aggregations: one to five. Those without an alias get `field_1`, `field_2` and so on.
  ///   - timeout: the time that the query may take. With one, it also ends if the task in which it
  ///     is called is cancelled.
  /// - Complexity: the index entries up to the last result.
  /// - Throws: the errors of `getDocuments`; sums and averages also need indexes that have their
  ///   fields.
  public func aggregate(
    _ aggregations: [Aggregation], timeout: Duration? = nil
  ) throws(DatabaseError) -> AggregateSnapshot {
    try query.aggregate(aggregations, in: query.database.engine.readView(), timeout)
  }

  /// Does the same without blocking the calling thread.
  public func aggregate(
    _ aggregations: [Aggregation], timeout: Duration? = nil
  ) async throws(DatabaseError) -> AggregateSnapshot {
    try await Blocking.run { () throws(DatabaseError) in
      try self.aggregate(aggregations, timeout: timeout)
    }
  }

  /// Returns the number of results, or `limit` if there are more.
  ///
  /// - Complexity: `limit` index entries at most.
  /// - Throws: the errors of `getDocuments`; `invalidArgument` for a limit below 0.
  public func count(upTo limit: Int, timeout: Duration? = nil) throws(DatabaseError) -> Int {
    let figures = try aggregate([.count(upTo: limit, as: "count")], timeout: timeout)
    guard case .integer(let count) = try figures["count"] else {
      throw DatabaseError(.internal, "A count came without its number.")
    }
    return Int(count)
  }

  /// Does the same without blocking the calling thread.
  public func count(upTo limit: Int, timeout: Duration? = nil) async throws(DatabaseError) -> Int {
    try await Blocking.run { () throws(DatabaseError) in
      try self.count(upTo: limit, timeout: timeout)
    }
  }
}

extension Query {
  func aggregate(
    _ aggregations: [Aggregation], in view: ReadView, _ timeout: Duration?
  ) throws(DatabaseError) -> AggregateSnapshot {
    try database.observed(.aggregate, in: view.databaseID) { work throws(DatabaseError) in
      let aggregation = AggregationQuery(try runnable(), aggregations)
      let deadline = timeout.map { ContinuousClock.now + $0 }
      let result = try view.aggregate(aggregation, deadline: deadline)
      work?.run = .figures(aggregation, result)
      return AggregateSnapshot(
        values: result.values, statistics: QueryStatistics(result.statistics))
    }
  }
}

extension Aggregation {
  /// Returns an aggregation that sums the numbers in `field`, a path such as `size.km2`.
  ///
  /// - Throws: `invalidArgument` for a malformed path.
  public static func sum(
    _ field: String, as alias: String? = nil
  ) throws(DatabaseError) -> Aggregation {
    .sum(try FieldPath(field), as: alias)
  }

  /// Returns an aggregation that averages the numbers in `field`, a path such as `size.km2`.
  ///
  /// - Throws: `invalidArgument` for a malformed path.
  public static func average(
    _ field: String, as alias: String? = nil
  ) throws(DatabaseError) -> Aggregation {
    .average(try FieldPath(field), as: alias)
  }
}
