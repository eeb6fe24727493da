import Dispatch
import Hearth
import HearthFirebase
import HearthRules

/// The requests of the user of one moment, which security rules judge.
struct UserRequests: DatabaseRequests {
  private let caller: RulesCaller

  init(_ rules: DatabaseRules, _ keeper: SessionKeeper) {
    caller = RulesCaller(rules, keeper, keeper.current)
  }

  func getDocument(_ document: Hearth.DocumentReference) throws -> Hearth.DocumentSnapshot {
    try caller.user().getDocument(document)
  }

  func getDocuments(_ query: Hearth.Query) throws -> Hearth.QuerySnapshot {
    try caller.user().getDocuments(query)
  }

  func aggregate(
    _ aggregations: [Aggregation], of query: Hearth.Query
  ) throws -> Hearth.AggregateSnapshot {
    try caller.user().aggregate(aggregations, of: query)
  }

  func commit(_ batch: Hearth.WriteBatch) throws {
    try caller.user().commit(batch.checkedWrites())
  }

  func runTransaction<Value>(
    _ options: Hearth.TransactionOptions, in database: Database,
    _ body: (TransactionRequests) throws -> Value
  ) throws -> Value {
    try caller.user().runTransaction(options) { transaction in
      try body(
        TransactionRequests(
          getDocument: { try transaction.getDocument($0) },
          write: { _, writes in try transaction.write(writes) }))
    }
  }

  // MARK: Listeners

  func listen(
    to query: Hearth.Query, on queue: DispatchQueue, begun: @escaping @Sendable () -> Void,
    _ listener: @escaping @Sendable (Result<Hearth.QuerySnapshot, DatabaseError>) -> Void
  ) throws -> @Sendable () -> Void {
    JudgedDelivery(
      of: JudgedSnapshots(of: query, for: caller), on: queue, begun: begun, listener
    )
    .end
  }

  func listen(
    to document: Hearth.DocumentReference, on queue: DispatchQueue,
    begun: @escaping @Sendable () -> Void,
    _ listener: @escaping @Sendable (Result<Hearth.DocumentSnapshot, DatabaseError>) -> Void
  ) throws -> @Sendable () -> Void {
    JudgedDelivery(
      of: JudgedSnapshots(of: document, for: caller), on: queue, begun: begun, listener
    ).end
  }

  func snapshots(
    of query: Hearth.Query
  ) -> any AsyncSequence<Hearth.QuerySnapshot, DatabaseError> & Sendable {
    JudgedSnapshots(of: query, for: caller)
  }

  func snapshots(
    of document: Hearth.DocumentReference
  ) -> any AsyncSequence<Hearth.DocumentSnapshot, DatabaseError> & Sendable {
    JudgedSnapshots(of: document, for: caller)
  }
}
