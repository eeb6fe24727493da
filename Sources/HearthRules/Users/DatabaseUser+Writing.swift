public import Hearth
import HearthDocumentEngine
public import HearthDocumentModel

extension DatabaseUser {
  /// Applies `writes` in order, all of them or none, in one durable commit.
  ///
  /// - Returns: one result per write.
  /// - Throws: `permissionDenied` if the rules refuse one of the documents; the errors of
  ///   `Database.commit`.
  @discardableResult
  public func commit(_ writes: [Write]) throws(DatabaseError) -> [WriteResult] {
    try database.commitRequest(writes, judging: judge.judgementOfWrites()).writeResults
  }

  /// Does the same without blocking the calling thread.
  @discardableResult
  public func commit(_ writes: [Write]) async throws(DatabaseError) -> [WriteResult] {
    try await Blocking.run(.change) { () throws(DatabaseError) in try self.commit(writes) }
  }

  /// Applies the writes that `body` adds to an empty batch.
  ///
  /// ```swift
  /// try alice.commit { $0.setData(["owner": "alice"], for: tasks.document("milk")) }
  /// ```
  ///
  /// - Throws: the errors of `commit` with writes; `invalidArgument` for the first write that isn't
  ///   valid.
  @discardableResult
  public func commit(
    _ body: (inout WriteBatch) -> Void
  ) throws(DatabaseError) -> [WriteResult] {
    try commit(writes(body))
  }

  /// Does the same without blocking the calling thread.
  @discardableResult
  public func commit(
    _ body: (inout WriteBatch) -> Void
  ) async throws(DatabaseError) -> [WriteResult] {
    try await commit(writes(body))
  }

  private func writes(_ body: (inout WriteBatch) -> Void) throws(DatabaseError) -> [Write] {
    var batch = database.batch()
    body(&batch)
    return try batch.checkedWrites()
  }

  /// Runs `body` as one serialisable transaction, as `Database.runTransaction` does. Its reads are
  /// judged as others are, and its writes as a whole within the commit.
  ///
  /// - Throws: `permissionDenied`; the errors of `Database.runTransaction`.
  @discardableResult
  public func runTransaction<T>(
    _ options: TransactionOptions = TransactionOptions(),
    _ body: (UserTransaction) throws -> T
  ) throws -> T {
    try database.runTransaction(
      options, judging: judge.judgementOfWrites(inTransaction: true)
    ) { transaction in
      try body(UserTransaction(transaction, judge))
    }
  }

  /// Does the same with an asynchronous closure, and blocks none of Swift's threads.
  @discardableResult
  public func runTransaction<T: Sendable>(
    _ options: TransactionOptions = TransactionOptions(),
    _ body: @Sendable (UserTransaction) async throws -> T
  ) async throws -> T {
    try await database.runTransaction(
      options, judging: judge.judgementOfWrites(inTransaction: true)
    ) { transaction in
      try await body(UserTransaction(transaction, judge))
    }
  }
}
