public import Hearth
public import HearthDocumentModel

/// The reads and writes of a user's transaction. All reads come before the first write.
public struct UserTransaction: Sendable {
  private let transaction: Transaction
  private let judge: RulesJudge

  init(_ transaction: Transaction, _ judge: RulesJudge) {
    self.transaction = transaction
    self.judge = judge
  }

  /// Returns a document, whether it exists or not.
  ///
  /// - Throws: `permissionDenied`; the errors of `Transaction.getDocument`.
  public func getDocument(
    _ reference: DocumentReference
  ) throws(DatabaseError) -> DocumentSnapshot {
    let moment = try moment()
    let document = try transaction.getDocument(reference)
    try judge.check(document, in: moment)
    return document
  }

  /// Returns the documents at `references`, as `Transaction.getAll` does.
  ///
  /// - Throws: `permissionDenied` if one of them is refused; the errors of `Transaction.getAll`.
  public func getAll(
    _ references: [DocumentReference]
  ) throws(DatabaseError) -> [DocumentSnapshot] {
    let moment = try moment()
    let documents = try transaction.getAll(references)
    try judge.check(documents, in: moment)
    return documents
  }

  /// Returns the results of a query.
  ///
  /// - Throws: `permissionDenied`; the errors of `Transaction.getDocuments`.
  public func getDocuments(
    _ query: some QueryBuilding, timeout: Duration? = nil
  ) throws(DatabaseError) -> QuerySnapshot {
    try judge.check(query.query.runnable(), in: moment())
    return try transaction.getDocuments(query, timeout: timeout)
  }

  /// Adds the writes that `body` adds to an empty batch, for the commit to apply.
  ///
  /// - Throws: `invalidArgument` for a write that isn't valid; the errors of `Transaction.create`.
  public func write(_ body: (inout WriteBatch) -> Void) throws(DatabaseError) {
    try transaction.add(body)
  }

  /// The moment of the transaction. It doesn't depend on what rules read there, since they are
  /// asked again within the commit.
  private func moment() throws(DatabaseError) -> DatabaseSnapshot {
    try transaction.snapshot().unrecorded()
  }
}
