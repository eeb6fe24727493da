import Hearth
import HearthDocumentEngine
import HearthDocumentModel

/// A transaction that a client has begun. It keeps its database open.
struct OpenTransaction: Sendable {
  private enum Kind: Sendable {
    case readOnly(DatabaseSnapshot)
    case locking(LockingTransaction)
    case optimistic(Transaction)
  }

  let database: Database
  private let kind: Kind

  /// Begins it.
  ///
  /// - Parameter seniority: that of an earlier attempt.
  /// - Throws: the errors of `snapshot(at:)` and of `beginTransaction(retrying:)`.
  init(
    _ mode: TransactionMode, in database: Database, seniority: LockingTransaction.Seniority?
  ) throws(DatabaseError) {
    self.database = database
    switch mode {
    case .readOnly(let time?): kind = .readOnly(try database.snapshot(at: time))
    case .readOnly(nil): kind = .readOnly(try database.snapshot())
    case .locking: kind = .locking(try database.beginTransaction(retrying: seniority))
    case .optimistic: kind = .optimistic(try database.beginAttempt())
    }
  }

  var isReadOnly: Bool {
    if case .readOnly = kind { true } else { false }
  }

  /// The rank by age, which a later attempt takes over; `nil` for one without locks.
  var seniority: LockingTransaction.Seniority? {
    if case .locking(let transaction) = kind { transaction.seniority } else { nil }
  }

  /// The memory of the server that its reads take. Locks are limited by the database.
  var readByteCount: Int {
    if case .optimistic(let transaction) = kind { transaction.readByteCount } else { 0 }
  }

  /// Runs `body` on the database as the transaction sees it.
  ///
  /// - Throws: the errors of `body`; `aborted` once the transaction has ended.
  func read<Result: Sendable>(
    _ body: @escaping @Sendable (DatabaseSnapshot) throws(DatabaseError) -> Result
  ) async throws(DatabaseError) -> Result {
    switch kind {
    case .readOnly(let snapshot): return try body(snapshot)
    case .optimistic(let transaction): return try body(transaction.snapshot())
    case .locking(let transaction):
      return try await Waiting.run(.read) { () throws(DatabaseError) in
        try transaction.readRequest(body)
      }
    }
  }

  /// Applies writes in one commit, and ends the transaction.
  ///
  /// - Parameter judgement: the judgement of the writes, within the commit; `nil` for none.
  /// - Throws: `invalidArgument` for a transaction that only reads; `aborted` once the transaction
  ///   has ended, and after a conflict; the errors of `Database.commit`.
  func commit(
    _ writes: [Write], judging judgement: CommitJudgement?
  ) async throws(DatabaseError) -> CommitResult {
    switch kind {
    case .readOnly(let snapshot):
      guard writes.isEmpty else {
        throw .invalidArgument("Cannot modify entities in a read-only transaction.")
      }
      return CommitResult(writeResults: [], commitTime: snapshot.readTime)
    case .optimistic(let transaction):
      return try await Waiting.run { () throws(DatabaseError) in
        try transaction.commitRequest(writes, judging: judgement)
      }
    case .locking(let transaction):
      return try await Waiting.run(.end) { () throws(DatabaseError) in
        try transaction.commitRequest(writes, judging: judgement)
      }
    }
  }

  /// Ends the transaction without writes. A commit of it that waits for locks is aborted.
  func rollback() {
    switch kind {
    case .readOnly: break
    case .optimistic(let transaction): transaction.rollback()
    case .locking(let transaction): transaction.rollback()
    }
  }
}
