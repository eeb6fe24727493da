public import HearthDocumentModel
import HearthQueryPlanning
import HearthDocumentEngine

extension Query {
  /// Divides the query for all documents of a collection group into at most `count` queries. The
  /// parts can run side by side, and together they return every document once (§9.3).
  ///
  /// The parts are of about equal size. A group of a few hundred documents or fewer may become one
  /// part. Each part is ordered by name, and sees the documents of the moment in which it runs.
  ///
  /// - Complexity: one key per document of the group; documents are not read.
  /// - Throws: `invalidArgument` for a query that isn't for all of a collection group, ordered by
  ///   name, or for a count below 1; `failedPrecondition` for a query that no index serves;
  ///   `deadlineExceeded`, `dataLoss`, or the store's error.
  public func partitions(_ count: Int, timeout: Duration? = nil) throws(DatabaseError) -> [Query] {
    try partitions(count, in: database.engine.readView(), timeout)
  }

  /// Does the same without blocking the calling thread.
  public func partitions(
    _ count: Int, timeout: Duration? = nil
  ) async throws(DatabaseError) -> [Query] {
    try await Blocking.run { () throws(DatabaseError) in
      try self.partitions(count, timeout: timeout)
    }
  }

  fileprivate func partitions(
    _ count: Int, in view: ReadView, _ timeout: Duration?
  ) throws(DatabaseError) -> [Query] {
    guard lastCount == nil else {
      throw .invalidArgument("Query limit is not supported.")
    }
    let deadline = timeout.map { ContinuousClock.now + $0 }
    // One cut fewer than parts. A single part needs none, but is checked like several.
    let cuts =
      try view
      .partition(namingDocuments(), count: count > 1 ? count - 1 : count, deadline: deadline)
      .prefix(count - 1).map { Cursor([.reference($0)], isBefore: true) }
    return zip([nil] + cuts, cuts + [nil]).map { start, end in
      var part = self
      part.structuredQuery.orders = [Order(.documentID)]
      part.structuredQuery.start = start
      part.structuredQuery.end = end
      return part
    }
  }
}

extension DatabaseSnapshot {
  /// Divides the query for all documents of a collection group by the documents of the snapshot.
  /// Parts that run in the snapshot are of about equal size.
  ///
  /// - Complexity: the same as the query's own `partitions`.
  /// - Throws: the errors of the query's own `partitions`; `invalidArgument` for a query of another
  ///   database.
  public func partitions(
    _ count: Int, of query: some QueryBuilding, timeout: Duration? = nil
  ) throws(DatabaseError) -> [Query] {
    try query.checked(for: .snapshot, of: database).partitions(count, in: view, timeout)
  }

  /// Does the same without blocking the calling thread.
  public func partitions(
    _ count: Int, of query: some QueryBuilding, timeout: Duration? = nil
  ) async throws(DatabaseError) -> [Query] {
    try await Blocking.run { () throws(DatabaseError) in
      try self.partitions(count, of: query, timeout: timeout)
    }
  }
}
