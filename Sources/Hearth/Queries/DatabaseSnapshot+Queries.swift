public import HearthDocumentModel
import HearthDocumentEngine
public import HearthQueryPlanning

extension DatabaseSnapshot {
  /// Returns the results of a query.
  ///
  /// - Parameters:
  ///   - query: a query of this database.
  ///   - timeout: the time that the query may take. With one, it also ends if the task in which it
  ///     is called is cancelled.
  /// - Complexity: the index entries up to the last result, and one document per result.
  /// - Throws: the errors of the query's own `getDocuments`; `invalidArgument` for a query of
  ///   another database.
  public func getDocuments(
    _ query: some QueryBuilding, timeout: Duration? = nil
  ) throws(DatabaseError) -> QuerySnapshot {
    try query.checked(for: .snapshot, of: database).getDocuments(in: view, timeout)
  }

  /// Does the same without blocking the calling thread.
  public func getDocuments(
    _ query: some QueryBuilding, timeout: Duration? = nil
  ) async throws(DatabaseError) -> QuerySnapshot {
    try await Blocking.run { () throws(DatabaseError) in
      try self.getDocuments(query, timeout: timeout)
    }
  }

  /// Calls `body` with each result of a query, one in memory at a time, until it returns `false`.
  ///
  /// - Complexity: the same as `getDocuments`.
  /// - Throws: the errors of `getDocuments`; `unimplemented` for a query limited to its last
  ///   results, which are found from the end.
  public func forEachDocument(
    of query: some QueryBuilding, timeout: Duration? = nil,
    _ body: (DocumentSnapshot) throws(DatabaseError) -> Bool
  ) throws(DatabaseError) {
    try query.checked(for: .snapshot, of: database).forEachDocument(in: view, timeout, body)
  }

  /// Does the same without blocking the calling thread. `body` runs on one of Hearth's threads.
  public func forEachDocument(
    of query: some QueryBuilding, timeout: Duration? = nil,
    _ body: @escaping @Sendable (DocumentSnapshot) throws(DatabaseError) -> Bool
  ) async throws(DatabaseError) {
    try await Blocking.run { () throws(DatabaseError) in
      try self.forEachDocument(of: query, timeout: timeout, body)
    }
  }

  /// Returns the number of a query's results, without reading documents.
  ///
  /// - Complexity: the index entries up to the last result.
  /// - Throws: the errors of `getDocuments`.
  public func count(
    _ query: some QueryBuilding, timeout: Duration? = nil
  ) throws(DatabaseError) -> Int {
    try query.checked(for: .snapshot, of: database).count(in: view, timeout)
  }

  /// Does the same without blocking the calling thread.
  public func count(
    _ query: some QueryBuilding, timeout: Duration? = nil
  ) async throws(DatabaseError) -> Int {
    try await Blocking.run { () throws(DatabaseError) in try self.count(query, timeout: timeout) }
  }

  /// Returns figures over a query's results, computed from index entries alone (§9.1).
  ///
  /// - Complexity: the index entries up to the last result.
  /// - Throws: the errors of the query's own `aggregate`; `invalidArgument` for a query of another
  ///   database.
  public func aggregate(
    _ aggregations: [Aggregation], of query: some QueryBuilding, timeout: Duration? = nil
  ) throws(DatabaseError) -> AggregateSnapshot {
    try query.checked(for: .snapshot, of: database).aggregate(aggregations, in: view, timeout)
  }

  /// Does the same without blocking the calling thread.
  public func aggregate(
    _ aggregations: [Aggregation], of query: some QueryBuilding, timeout: Duration? = nil
  ) async throws(DatabaseError) -> AggregateSnapshot {
    try await Blocking.run { () throws(DatabaseError) in
      try self.aggregate(aggregations, of: query, timeout: timeout)
    }
  }
}
