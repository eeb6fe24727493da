public import Dispatch
import DocumentEngine
public import DocumentModel

extension DocumentReference {
  /// The document as it is now, and again whenever it is created, changed or deleted.
  ///
  /// ```swift
  /// for try await task in try tasks.document("milk").snapshots {
  ///   print(task.exists ? "changed" : "not there")
  /// }
  /// ```
  ///
  /// Who takes the snapshots slowly misses some, and never the latest. The sequence ends with the
  /// cancellation of its task, or when the database is closed.
  public var snapshots: DocumentSnapshots { DocumentSnapshots(self) }

  /// Calls `listener` with the document as it is now, and again whenever it is created, changed or
  /// deleted.
  ///
  /// The first call comes behind the return of this one. An error is the last call.
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
    _ listener: @escaping @Sendable (Result<DocumentSnapshot, DatabaseError>) -> Void
  ) -> ListenerRegistration {
    ListenerRegistration(
      ListenerRequest(self), on: queue, { DocumentSnapshot(self, $0.documents.first) }, listener)
  }
}

/// A document over time.
///
/// Each iteration listens anew, from the document of that moment on.
public struct DocumentSnapshots: AsyncSequence, Sendable {
  public typealias Element = DocumentSnapshot
  public typealias Failure = DatabaseError

  private let reference: DocumentReference

  init(_ reference: DocumentReference) {
    self.reference = reference
  }

  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(reference) }

  /// One listener, which ends with the iterator, or when its task is cancelled.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let stream: SnapshotStream
    private let reference: DocumentReference

    init(_ reference: DocumentReference) {
      stream = SnapshotStream(ListenerRequest(reference))
      self.reference = reference
    }

    /// The next snapshot, once there is one.
    ///
    /// - Throws: `dataLoss`, or what the store reports.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(DatabaseError) -> DocumentSnapshot? {
      try await stream.next().map { DocumentSnapshot(reference, $0.documents.first) }
    }
  }
}
