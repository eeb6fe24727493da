public import Dispatch
import HearthDocumentEngine
public import HearthDocumentModel

extension DocumentReference {
  /// The document as it is now, and again each time it is created, changed or deleted.
  ///
  /// ```swift
  /// for try await task in try tasks.document("milk").snapshots {
  ///   print(task.exists ? "changed" : "not there")
  /// }
  /// ```
  ///
  /// A slow reader misses some snapshots, but never the latest. The sequence ends when its task is
  /// cancelled or the database is closed.
  public var snapshots: DocumentSnapshots { DocumentSnapshots(self) }

  /// Calls `listener` with the document as it is now, and again each time it is created, changed or
  /// deleted.
  ///
  /// The first call comes from the queue, never from inside this method. An error is the last call.
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
    _ listener: @escaping @Sendable (Result<DocumentSnapshot, DatabaseError>) -> Void
  ) -> ListenerRegistration {
    ListenerRegistration(
      ListenerRequest(self), on: queue, { DocumentSnapshot(self, $0.documents.first) }, listener)
  }
}

/// The snapshots of a document over time.
///
/// Each iteration listens anew, beginning with the document at that moment.
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

    /// Returns the next snapshot, once there is one.
    ///
    /// - Throws: `dataLoss`, or the store's error.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(DatabaseError) -> DocumentSnapshot? {
      try await stream.next().map { DocumentSnapshot(reference, $0.documents.first) }
    }
  }
}
