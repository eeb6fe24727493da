public import HearthDocumentModel
package import HearthDocumentEngine

/// A transaction that locks what it reads until it ends, as Firestore's transactions do on servers
/// (§7.4).
///
/// ```swift
/// let transaction = try database.beginTransaction()
/// let item = try transaction.read { try $0.getDocument(lamp) }
/// guard let stock = try item.value("stock", as: Int.self), stock > 0 else {
///   return transaction.rollback()
/// }
/// try transaction.commit { $0.updateData(["stock": .increment(-1)], for: lamp) }
/// ```
///
/// It is for work that goes on over several requests, or that is too expensive to be repeated after
/// a conflict. For all else `runTransaction` is better, since it makes no other caller wait.
///
/// All commits that would change what it has read wait until it ends, up to ``LockLimits/timeout``,
/// and are `aborted` then. Reads outside of such transactions never wait. Of two transactions that
/// wait for each other, the younger is `aborted` at once.
///
/// It may be used from any thread. It ends with its commit, with ``rollback()``, or with its last
/// reference; no time ends it.
public final class LockingTransaction: Sendable {
  /// The rank of a transaction by its age.
  public struct Seniority: Sendable, Hashable, Comparable {
    fileprivate let rank: UInt64

    /// Whether `left` is that of the older transaction.
    public static func < (left: Seniority, right: Seniority) -> Bool { left.rank < right.rank }
  }

  private let database: Database
  private let scope: LockingScope

  fileprivate init(_ scope: LockingScope, in database: Database) {
    self.scope = scope
    self.database = database
  }

  /// The rank by age. A new attempt at a transaction that was aborted can take it over, so that it
  /// doesn't lose again.
  public var seniority: Seniority { Seniority(rank: scope.seniority) }

  /// Time since its last call ended; zero while a call is running.
  public var idleTime: Duration { scope.idleTime }

  /// Time since its beginning.
  public var age: Duration { scope.age }
}

extension Database {
  /// Begins a transaction that locks what it reads.
  ///
  /// - Parameter earlier: the seniority of an attempt at the same transaction that was aborted.
  /// - Throws: `resourceExhausted` if ``LockLimits/transactionCount`` are open;
  ///   `failedPrecondition` once the database is closed.
  public func beginTransaction(
    retrying earlier: LockingTransaction.Seniority? = nil
  ) throws(DatabaseError) -> LockingTransaction {
    LockingTransaction(try engine.beginLockingTransaction(seniority: earlier?.rank), in: self)
  }

  /// Number of commits and reads that wait for locks. Tests use it to know that they wait.
  package var lockWaitCount: Int { engine.lockWaitCount }

  /// Ends all waits for locks as if their time were over. For tests, which can't wait for it.
  package func endLockWaits() { engine.endLockWaits() }
}

// MARK: - Reading

extension LockingTransaction {
  /// Runs `body` on the database as it is now, and locks what it reads there: documents, missing
  /// ones too, the results of queries, counts and listings. Nothing is locked if `body` throws.
  ///
  /// What was read stays as it is until the transaction ends, so all reads of a transaction fit
  /// together.
  ///
  /// - Parameter body: a closure that reads, and does nothing that may not be repeated. It runs
  ///   again if another commit changed what it read before that was locked. A snapshot that it
  ///   passes on can be read later, but without locks.
  /// - Complexity: the cost of the reads. Each document and each scanned part of an index is one
  ///   locked range.
  /// - Throws: the errors of `body`; `aborted` once the transaction has ended, or after a wait of
  ///   ``LockLimits/timeout`` for commits that came first, which ends it; `resourceExhausted` for
  ///   more than ``LockLimits/rangeCount`` ranges, or ``LockLimits/byteCount`` of their bounds; the
  ///   store's error.
  public func read<T>(_ body: (DatabaseSnapshot) throws -> T) throws -> T {
    var failure: (any Error)?
    do {
      return try readRequest { snapshot throws(DatabaseError) in
        do {
          return try body(snapshot)
        } catch {
          failure = error
          throw DatabaseError(reporting: error)
        }
      }
    } catch {
      throw failure ?? error
    }
  }

  /// Does the same without blocking the calling thread. `body` runs on one of Hearth's threads.
  public func read<T: Sendable>(
    _ body: @escaping @Sendable (DatabaseSnapshot) throws -> T
  ) async throws -> T {
    try await Blocking.run(.ending) { () throws(DatabaseError) in
      Result { try self.read(body) }
    }.get()
  }

  /// Reads as `read` does, with errors of the database only.
  package func readRequest<T>(
    _ body: (DatabaseSnapshot) throws(DatabaseError) -> T
  ) throws(DatabaseError) -> T {
    try scope.read { view throws(DatabaseError) in
      try body(DatabaseSnapshot(view, at: view.readTime, in: database))
    }
  }
}

// MARK: - The end

extension LockingTransaction {
  /// Applies `writes` in order, all of them or none, in one durable commit, and ends the
  /// transaction, even if the commit fails. It waits for other transactions that have read what it
  /// changes.
  ///
  /// - Complexity: two point reads per document that exists.
  /// - Returns: one result per write.
  /// - Throws: `aborted` once the transaction has ended, for the younger of two transactions that
  ///   wait for each other, or after a wait of ``LockLimits/timeout``; the errors of
  ///   `Database.commit`.
  @discardableResult
  public func commit(_ writes: [Write] = []) throws(DatabaseError) -> [WriteResult] {
    try commitRequest(writes).writeResults
  }

  /// Does the same without blocking the calling thread.
  @discardableResult
  public func commit(_ writes: [Write] = []) async throws(DatabaseError) -> [WriteResult] {
    try await Blocking.run(.ending) { () throws(DatabaseError) in try self.commit(writes) }
  }

  /// Applies the writes that `body` adds to an empty batch, and ends the transaction.
  ///
  /// - Throws: the errors of `commit` with writes; `invalidArgument` for the first write that isn't
  ///   valid. Then the transaction goes on.
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

  private func writes(
    _ body: (inout WriteBatch) -> Void
  ) throws(DatabaseError) -> [Write] {
    var batch = database.batch()
    body(&batch)
    return try batch.checkedWrites()
  }

  /// Applies `writes` as `commit` does, and returns the time of the commit with the results.
  ///
  /// - Parameter judgement: the judgement of the writes, within the commit; `nil` for none.
  package func commitRequest(
    _ writes: [Write], judging judgement: CommitJudgement? = nil
  ) throws(DatabaseError) -> CommitResult {
    try database.observed(.commit) { () throws(DatabaseError) in
      try scope.commit(writes, judging: judgement)
    }
  }

  /// Ends the transaction without writes, and releases its locks. A commit of it that waits for
  /// locks is aborted; one that is being written goes on. It waits for nothing, and may be called
  /// more than once.
  public func rollback() { scope.rollback() }
}
