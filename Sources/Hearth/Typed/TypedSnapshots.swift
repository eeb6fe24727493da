public import HearthDocumentModel

extension TypedQueryBuilding {
  /// The results as they are now, and again each time they change (§8).
  ///
  /// ```swift
  /// for try await tasks in try tasks.where(\.isDone == false).snapshots {
  ///   print(tasks.map(\.title))
  /// }
  /// ```
  ///
  /// A slow reader misses some snapshots, but never the latest. The sequence ends when its task is
  /// cancelled or the database is closed. It throws the errors of `getDocuments`, once. The
  /// snapshots of ``query`` also have the changes from one to the next.
  public var snapshots: TypedSnapshots<Element> { TypedSnapshots(query.snapshots) }

  /// Calls `listener` with the results as they are now, and again each time they change.
  ///
  /// All calls come from one queue that the listeners of the database share, never from inside this
  /// method. An error is the last call, except for that of a result that doesn't fit the type.
  ///
  /// In a forked process the only call is that of an error, before this method returns.
  ///
  /// - Returns: the registration, which ends the listener.
  @discardableResult
  public func addSnapshotListener(
    _ listener: @escaping @Sendable (Result<[Element], DatabaseError>) -> Void
  ) -> ListenerRegistration {
    query.addSnapshotListener { outcome in
      listener(
        Result { () throws(DatabaseError) in try outcome.get().elements(of: Element.self) })
    }
  }
}

/// The snapshots of a typed query's results over time.
///
/// Each iteration listens anew, beginning with the results at that moment.
public struct TypedSnapshots<Root: FieldKeyed>: AsyncSequence, Sendable {
  public typealias Element = [Root]
  public typealias Failure = DatabaseError

  private let snapshots: QuerySnapshots

  init(_ snapshots: QuerySnapshots) {
    self.snapshots = snapshots
  }

  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(snapshots.makeAsyncIterator())
  }

  /// One listener, which ends with the iterator, or when its task is cancelled.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private var snapshots: QuerySnapshots.AsyncIterator

    init(_ snapshots: QuerySnapshots.AsyncIterator) {
      self.snapshots = snapshots
    }

    /// Returns the next results, once there are some.
    ///
    /// - Throws: `failedPrecondition` with `missingIndex` if no index serves the query, or none any
    ///   more; `invalidArgument`, also with ``DatabaseError/codingFailure`` for a result that
    ///   doesn't fit the type; `dataLoss`, or the store's error.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(DatabaseError) -> [Root]? {
      try await snapshots.next(isolation: actor)?.elements(of: Root.self)
    }
  }
}

extension QuerySnapshot {
  fileprivate func elements<Root: FieldKeyed>(
    of type: Root.Type
  ) throws(DatabaseError) -> [Root] {
    try documents(as: type, decoder: type.documentDecoder)
  }
}
