package import Dispatch
package import HearthDocumentModel
package import HearthQueryPlanning

/// The requests of the owner of a database, whom no rules judge.
package struct OwnerRequests: DatabaseRequests {
  package init() {}

  package func getDocument(_ document: DocumentReference) throws -> DocumentSnapshot {
    try document.getDocument()
  }

  package func getDocuments(_ query: Query) throws -> QuerySnapshot {
    try query.getDocuments()
  }

  package func aggregate(
    _ aggregations: [Aggregation], of query: Query
  ) throws -> AggregateSnapshot {
    try query.aggregate(aggregations)
  }

  package func commit(_ batch: WriteBatch) throws { try batch.commit() }

  package func runTransaction<Value>(
    _ options: TransactionOptions, in database: Database,
    _ body: (TransactionRequests) throws -> Value
  ) throws -> Value {
    try database.runTransaction(options) { transaction in
      try body(
        TransactionRequests(
          getDocument: { try transaction.getDocument($0) },
          write: { try transaction.write(to: $0, $1) }))
    }
  }

  package func listen(
    to query: Query, on queue: DispatchQueue, begun: @escaping @Sendable () -> Void,
    _ listener: @escaping @Sendable (Result<QuerySnapshot, DatabaseError>) -> Void
  ) throws -> @Sendable () -> Void {
    let registration = query.addSnapshotListener(on: queue, listener)
    return { registration.remove() }
  }

  package func listen(
    to document: DocumentReference, on queue: DispatchQueue, begun: @escaping @Sendable () -> Void,
    _ listener: @escaping @Sendable (Result<DocumentSnapshot, DatabaseError>) -> Void
  ) throws -> @Sendable () -> Void {
    let registration = document.addSnapshotListener(on: queue, listener)
    return { registration.remove() }
  }

  package func snapshots(
    of query: Query
  ) -> any AsyncSequence<QuerySnapshot, DatabaseError> & Sendable {
    query.snapshots
  }

  package func snapshots(
    of document: DocumentReference
  ) -> any AsyncSequence<DocumentSnapshot, DatabaseError> & Sendable {
    document.snapshots
  }
}
