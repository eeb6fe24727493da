public import Dispatch
import DocumentEngine
public import DocumentModel

extension QueryBuilding {
  /// The results as they are now, and again whenever they change.
  ///
  /// ```swift
  /// for try await snapshot in try tasks.whereField("done", isEqualTo: false).snapshots {
  ///   print(snapshot.count, "to do")
  /// }
  /// ```
  ///
  /// Each snapshot is the database right behind one commit. Who takes them slowly misses some, and
  /// never the latest (§8). The sequence ends with the cancellation of its task, or when the
  /// database is closed; it throws what `getDocuments` would, once.
  ///
  /// - Complexity: for each commit, what it changes in the results. Only limits and offsets make
  ///   documents be read again.
  public var snapshots: QuerySnapshots { QuerySnapshots(query) }

  /// Calls `listener` with the results as they are now, and again whenever they change.
  ///
  /// The first call comes behind the return of this one. An error is the last call: such as that of
  /// a missing index, or of the one in use being dropped.
  ///
  /// In a forked process the only call is that of an error, before this one returns.
  ///
  /// - Parameters:
  ///   - queue: a serial queue to call it on; `nil` is one that all listeners of the database
  ///     share.
  ///   - listener: is called for one snapshot at a time.
  /// - Returns: what ends the listener.
  @discardableResult
  public func addSnapshotListener(
    on queue: DispatchQueue? = nil,
    _ listener: @escaping @Sendable (Result<QuerySnapshot, DatabaseError>) -> Void
  ) -> ListenerRegistration {
    let database = query.database
    return ListenerRegistration(
      ListenerRequest(query), on: queue, { QuerySnapshot($0, in: database) }, listener)
  }
}

/// The results of a query over time.
///
/// Each iteration listens anew, from the results of that moment on.
public struct QuerySnapshots: AsyncSequence, Sendable {
  public typealias Element = QuerySnapshot
  public typealias Failure = DatabaseError

  private let query: Query

  init(_ query: Query) {
    self.query = query
  }

  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(query) }

  /// One listener, which ends with the iterator, or when its task is cancelled.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let stream: SnapshotStream
    private let database: Database

    init(_ query: Query) {
      stream = SnapshotStream(ListenerRequest(query))
      database = query.database
    }

    /// The next snapshot, once there is one.
    ///
    /// - Throws: `failedPrecondition` with `missingIndex` if no index serves the query (any more);
    ///   `invalidArgument`; `dataLoss`, or what the store reports.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(DatabaseError) -> QuerySnapshot? {
      try await stream.next().map { QuerySnapshot($0, in: database) }
    }
  }
}
