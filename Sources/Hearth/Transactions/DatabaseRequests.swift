package import Dispatch
package import HearthDocumentModel
package import HearthQueryPlanning

/// The requests to a database in another spelling: those of its owner, or those of a user, whom
/// security rules judge. Each blocks its thread.
package protocol DatabaseRequests: Sendable {
  func getDocument(_ document: DocumentReference) throws -> DocumentSnapshot

  func getDocuments(_ query: Query) throws -> QuerySnapshot

  func aggregate(
    _ aggregations: [Aggregation], of query: Query
  ) throws -> AggregateSnapshot

  func commit(_ batch: WriteBatch) throws

  func runTransaction<Value>(
    _ options: TransactionOptions, in database: Database,
    _ body: (TransactionRequests) throws -> Value
  ) throws -> Value

  /// Calls `listener` on a queue.
  ///
  /// - Parameter begun: called once the first call is on the queue, perhaps several times. A
  ///   listener whose first call is there when the database's listeners are settled need not.
  /// - Returns: the closure that ends the listener.
  func listen(
    to query: Query, on queue: DispatchQueue, begun: @escaping @Sendable () -> Void,
    _ listener: @escaping @Sendable (Result<QuerySnapshot, DatabaseError>) -> Void
  ) throws -> @Sendable () -> Void

  func listen(
    to document: DocumentReference, on queue: DispatchQueue, begun: @escaping @Sendable () -> Void,
    _ listener: @escaping @Sendable (Result<DocumentSnapshot, DatabaseError>) -> Void
  ) throws -> @Sendable () -> Void

  func snapshots(
    of query: Query
  ) -> any AsyncSequence<QuerySnapshot, DatabaseError> & Sendable

  func snapshots(
    of document: DocumentReference
  ) -> any AsyncSequence<DocumentSnapshot, DatabaseError> & Sendable
}

/// The requests within a transaction.
package struct TransactionRequests: Sendable {
  package typealias Writing = (inout WriteBatch) -> Void

  package let getDocument: @Sendable (DocumentReference) throws -> DocumentSnapshot
  /// Adds the writes of a document that a closure adds to an empty batch.
  package let write: @Sendable (DocumentReference, Writing) throws -> Void

  package init(
    getDocument: @escaping @Sendable (DocumentReference) throws -> DocumentSnapshot,
    write: @escaping @Sendable (DocumentReference, Writing) throws -> Void
  ) {
    self.getDocument = getDocument
    self.write = write
  }
}
