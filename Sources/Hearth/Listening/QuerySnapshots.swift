public import Dispatch
import HearthDocumentEngine
public import HearthDocumentModel

extension QueryBuilding {
  /// The results as they are now, and again each time they change.
  ///
  /// ```swift
  /// for try await snapshot in try tasks.whereField("done", isEqualTo: false).snapshots {
  ///   print(snapshot.count, "to do")
  /// }
  /// ```
  ///
  /// Each snapshot is the state of the database right after one commit. A slow reader misses some,
  /// but never the latest (§8). The sequence ends when its task is cancelled or the database is
  /// closed. It throws the errors of `getDocuments`, once.
  ///
  /// - Complexity: for each commit, its changes in the results. Documents are read again only for
  ///   limits and offsets.
  public var snapshots: QuerySnapshots { QuerySnapshots(query) }

  /// Calls `listener` with the results as they are now, and again each time they change.
  ///
  /// The first call comes from the queue, never from inside this method. An error is the last call:
  /// for example, an index is missing, or the index in use was dropped.
  ///
  /// In a forked process the only call is that of an error, before this method returns.
  ///
  /// - Parameters:
  ///   - queue: a serial queue for the calls; `nil` is a queue that all listeners of the database
  ///     share.
  ///   - listener: the closure to call with one snapshot at a time.
  /// - Returns: the registration, which ends the listener.
  @discardableResult
  public func addSnapshotListener(
    on queue: DispatchQueue? = nil,
    _ listener: @escaping @Sendable (Result<QuerySnapshot, DatabaseError>) -> Void
  ) -> ListenerRegistration {
    let database = query.database
    return ListenerRegistration(
      ListenerRequest(query), on: queue, { $0.querySnapshot(in: database) }, listener)
  }
}

/// The snapshots of a query's results over time.
///
/// Each iteration listens anew, beginning with the results at that moment.
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

    /// Returns the next snapshot, once there is one.
    ///
    /// - Throws: `failedPrecondition` with `missingIndex` if no index serves the query, or none any
    ///   more; `invalidArgument`; `dataLoss`, or the store's error.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(DatabaseError) -> QuerySnapshot? {
      try await stream.next().map { $0.querySnapshot(in: database) }
    }
  }
}
