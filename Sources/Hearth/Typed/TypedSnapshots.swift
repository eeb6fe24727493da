public import DocumentModel

extension TypedQueryBuilding {
  /// The results as they are now, and again whenever they change (§8).
  ///
  /// ```swift
  /// for try await tasks in try tasks.where(\.isDone == false).snapshots {
  ///   print(tasks.map(\.title))
  /// }
  /// ```
  ///
  /// Who takes them slowly misses some, and never the latest. The sequence ends with the
  /// cancellation of its task, or when the database is closed; it throws what `getDocuments` would,
  /// once. What changed from one to the next is told by the snapshots of ``query``.
  public var snapshots: TypedSnapshots<Element> { TypedSnapshots(query.snapshots) }

  /// Calls `listener` with the results as they are now, and again whenever they change.
  ///
  /// The first call comes behind the return of this one, all of them on one queue that the
  /// listeners of the database share. An error is the last call, but that of a result that doesn't
  /// fit the type.
  ///
  /// In a forked process the only call is that of an error, before this one returns.
  ///
  /// - Returns: what ends the listener.
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

/// The results of a typed query over time.
///
/// Each iteration listens anew, from the results of that moment on.
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

    /// The next results, once there are some.
    ///
    /// - Throws: `failedPrecondition` with `missingIndex` if no index serves the query (any more);
    ///   `invalidArgument`, also with ``DatabaseError/codingFailure`` for a result that doesn't fit
    ///   the type; `dataLoss`, or what the store reports.
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
