import Hearth

/// The snapshots of a query or a document over time: the present one, and another each time
/// something changes. Each iteration listens anew.
///
/// A slow reader misses some snapshots, but never the latest. The sequence ends when its task is
/// cancelled or the database is closed.
public struct SnapshotSequence<Snapshot: Sendable>: AsyncSequence, Sendable {
  public typealias Element = Snapshot
  public typealias Failure = any Error

  /// Begins an iteration, and returns the closure that gives the next snapshot.
  private let iterate: @Sendable () async throws -> AnyIterator

  fileprivate typealias AnyIterator = () async throws -> Snapshot?

  fileprivate init<Stored>(
    _ firestore: Firestore,
    _ snapshots:
      @escaping @Sendable (any DatabaseRequests) throws
      -> any AsyncSequence<Stored, DatabaseError> & Sendable,
    _ snapshot: @escaping @Sendable (Stored) -> Snapshot
  ) {
    iterate = {
      let requests = firestore.requests
      // After all earlier writes.
      let snapshots = try await firestore.read { try snapshots(requests) }
      return SnapshotSequence.iterator(of: snapshots, in: firestore, snapshot)
    }
  }

  private static func iterator<Stored: AsyncSequence>(
    of snapshots: Stored, in firestore: Firestore,
    _ snapshot: @escaping @Sendable (Stored.Element) -> Snapshot
  ) -> AnyIterator {
    var iterator = snapshots.makeAsyncIterator()
    return {
      do {
        return try await iterator.next(isolation: #isolation).map(snapshot)
      } catch {
        throw firestore.firebaseError(error)
      }
    }
  }

  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(iterate: iterate) }

  /// One listener: it begins with the first call of `next()`, and ends with the
  /// iterator, or when its task is cancelled.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let iterate: @Sendable () async throws -> AnyIterator
    private var iterator: AnyIterator?

    fileprivate init(iterate: @escaping @Sendable () async throws -> AnyIterator) {
      self.iterate = iterate
    }

    /// Returns the next snapshot, once there is one.
    public mutating func next() async throws -> Snapshot? {
      let iterator = if let iterator { iterator } else { try await iterate() }
      self.iterator = iterator
      return try await iterator()
    }
  }
}

extension Query {
  /// The results as they are now, and again each time they change.
  public var snapshots: SnapshotSequence<QuerySnapshot> {
    SnapshotSequence(firestore, { $0.snapshots(of: try self.target.get()) }) {
      QuerySnapshot($0, of: self)
    }
  }

  /// Returns the same snapshots: metadata never changes.
  public func snapshots(includeMetadataChanges: Bool) -> SnapshotSequence<QuerySnapshot> {
    snapshots
  }
}

extension DocumentReference {
  /// The document as it is now, and again each time it is created, changed or deleted.
  public var snapshots: SnapshotSequence<DocumentSnapshot> {
    SnapshotSequence(firestore, { $0.snapshots(of: try self.target.get()) }) { [firestore] in
      DocumentSnapshot($0, in: firestore)
    }
  }

  /// Returns the same snapshots: metadata never changes.
  public func snapshots(includeMetadataChanges: Bool) -> SnapshotSequence<DocumentSnapshot> {
    snapshots
  }
}
