public import HearthDocumentModel
import HearthDocumentEngine
import HearthQueryPlanning

extension QueryBuilding {
  /// Returns the results as they are now.
  ///
  /// - Parameter timeout: the time that the query may take. With one, it also ends if the task in
  ///   which it is called is cancelled.
  /// - Complexity: the index entries up to the last result, and one document per result.
  /// - Throws: `failedPrecondition` with `missingIndex` if no index serves the query (§6.1);
  ///   `invalidArgument` for a query that can never run (§4.8); `deadlineExceeded`, or
  ///   `cancelled`; `dataLoss`; or the store's error.
  public consuming func getDocuments(
    timeout: Duration? = nil
  ) throws(DatabaseError) -> QuerySnapshot {
    let query = takeQuery()
    return try query.getDocuments(in: query.database.engine.readView(), timeout)
  }

  /// Does the same without blocking the calling thread.
  public func getDocuments(timeout: Duration? = nil) async throws(DatabaseError) -> QuerySnapshot {
    try await Blocking.run { () throws(DatabaseError) in try self.getDocuments(timeout: timeout) }
  }

  /// Calls `body` with each result until it returns `false`. One result is in memory at a time,
  /// apart from those that the cache of documents has.
  ///
  /// - Complexity: as `getDocuments`.
  /// - Throws: as `getDocuments`; `unimplemented` for a query limited to its last results, which
  ///   are found from the end.
  public func forEachDocument(
    timeout: Duration? = nil, _ body: (DocumentSnapshot) throws(DatabaseError) -> Bool
  ) throws(DatabaseError) {
    try query.forEachDocument(in: query.database.engine.readView(), timeout, body)
  }

  /// Does the same on a thread of Hearth's.
  public func forEachDocument(
    timeout: Duration? = nil,
    _ body: @escaping @Sendable (DocumentSnapshot) throws(DatabaseError) -> Bool
  ) async throws(DatabaseError) {
    try await Blocking.run { () throws(DatabaseError) in
      try self.forEachDocument(timeout: timeout, body)
    }
  }

  /// Returns the number of results, without reading documents.
  ///
  /// - Complexity: the index entries up to the last result.
  /// - Throws: as `getDocuments`.
  public consuming func count(timeout: Duration? = nil) throws(DatabaseError) -> Int {
    let query = takeQuery()
    return try query.count(in: query.database.engine.readView(), timeout)
  }

  /// Does the same without blocking the calling thread.
  public func count(timeout: Duration? = nil) async throws(DatabaseError) -> Int {
    try await Blocking.run { () throws(DatabaseError) in try self.count(timeout: timeout) }
  }
}

// MARK: - In a view

extension Query {
  func getDocuments(
    in view: ReadView, _ timeout: Duration?
  ) throws(DatabaseError) -> QuerySnapshot {
    try database.observed(.query, in: view.databaseID) { work throws(DatabaseError) in
      let execution = try execution(in: view, timeout, work)
      var documents: [DocumentSnapshot] = []
      documents.reserveCapacity(min(execution.plan.limit ?? 0, 64))
      let source = ResultSource(database)
      try execution.readDocuments {
        documents.append(DocumentSnapshot($0, of: source))
        return true
      }
      if lastCount != nil { documents.reverse() }
      return QuerySnapshot(documents, at: view.readTime, execution.statistics)
    }
  }

  @discardableResult
  func forEachDocument(
    in view: ReadView, _ timeout: Duration?,
    _ body: (DocumentSnapshot) throws(DatabaseError) -> Bool
  ) throws(DatabaseError) -> QueryStatistics {
    try requireForwardResults()
    return try database.observed(.query, in: view.databaseID) { work throws(DatabaseError) in
      let execution = try execution(in: view, timeout, work)
      let source = ResultSource(database)
      var failure: DatabaseError?
      do throws(DatabaseError) {
        try execution.readDocuments(isStoppable: true) { record in
          do throws(DatabaseError) {
            return try body(DocumentSnapshot(record, of: source))
          } catch {
            failure = error
            return false
          }
        }
      } catch {
        throw failure ?? error
      }
      if let failure { throw failure }
      return QueryStatistics(execution.statistics)
    }
  }

  /// Throws `unimplemented` for a query limited to its last results, which are found from the end.
  func requireForwardResults() throws(DatabaseError) {
    guard lastCount == nil else {
      throw DatabaseError(
        .unimplemented, "A query limited to its last results can't be read one by one.")
    }
  }

  func count(in view: ReadView, _ timeout: Duration?) throws(DatabaseError) -> Int {
    try database.observed(.count, in: view.databaseID) { work throws(DatabaseError) in
      if view.hasKeptCounts, let count = try keptCount(in: view, work) { return count }
      return try execution(in: view, timeout, work).countResults()
    }
  }

  /// Returns the number of results, if kept counts have it.
  private func keptCount(in view: ReadView, _ work: QueryWork?) throws(DatabaseError) -> Int? {
    let query = try runnable()
    if work == nil, let count = try view.simpleKeptCount(of: query) { return count }
    guard let kept = try view.keptCount(of: query) else { return nil }
    work?.run = .count(query, kept)
    return kept.resultCount
  }

  func execution(
    in view: ReadView, _ timeout: Duration?, _ work: QueryWork?
  ) throws(DatabaseError) -> QueryExecution {
    let deadline = timeout.map { ContinuousClock.now + $0 }
    // A copy of the query would count references to all of its parts.
    if work == nil, isRunnable { return try view.run(structuredQuery, deadline: deadline) }
    let query = try runnable()
    let execution = try view.run(query, deadline: deadline)
    work?.run = .documents(query, execution)
    return execution
  }
}
