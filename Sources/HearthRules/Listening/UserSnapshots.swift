public import Hearth
public import HearthDocumentModel

extension DatabaseUser {
  /// Returns the results of a query as they are now, and again each time they change.
  ///
  /// The query is judged when it begins, before each result, and when a document changes that the
  /// rules have read. A user who may no longer see the results gets `permissionDenied`, and nothing
  /// of the new ones.
  public func snapshots(of query: some QueryBuilding) -> UserQuerySnapshots {
    UserQuerySnapshots(query: query.query, user: self)
  }

  /// Returns a document as it is now, and again each time it is created, changed or deleted. It is
  /// judged like the results of a query.
  public func snapshots(of document: DocumentReference) -> UserDocumentSnapshots {
    UserDocumentSnapshots(document: document, user: self)
  }
}

/// The results of a query over time, as a user may see them. Each iteration listens anew.
public struct UserQuerySnapshots: AsyncSequence, Sendable {
  public typealias Element = QuerySnapshot
  public typealias Failure = DatabaseError

  let query: Query
  let user: DatabaseUser

  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(listener: JudgedListener(query, for: ListeningUser(user)))
  }

  /// One listener, which ends with the iterator, or when its task is cancelled.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let listener: JudgedListener

    /// Returns the next results, once there are any.
    ///
    /// - Throws: `permissionDenied`; the errors of `QuerySnapshots`.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(DatabaseError) -> QuerySnapshot? {
      try await listener.next()
    }
  }
}

/// The snapshots of a document over time, as a user may see them. Each iteration listens anew.
public struct UserDocumentSnapshots: AsyncSequence, Sendable {
  public typealias Element = DocumentSnapshot
  public typealias Failure = DatabaseError

  let document: DocumentReference
  let user: DatabaseUser

  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(listener: JudgedListener(document, for: ListeningUser(user)), document: document)
  }

  /// One listener, which ends with the iterator, or when its task is cancelled.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let listener: JudgedListener
    let document: DocumentReference

    /// Returns the next snapshot, once there is one.
    ///
    /// - Throws: `permissionDenied`; `dataLoss`, or the store's error.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(DatabaseError) -> DocumentSnapshot? {
      try await listener.next().map { results in
        results.documents.first ?? document.missingSnapshot
      }
    }
  }
}
