import FoundationEssentials
import Hearth
import HearthDocumentEngine
package import HearthDocumentModel
import Synchronization

/// The transactions of a server's clients (§7.4, W§3.9).
///
/// A client names its transaction by an id, which means nothing to other callers and in other
/// databases. A transaction ends with its commit, its rollback, a minute after its last call, or
/// 270 seconds after its beginning. Nothing else ends those of a client that has gone away.
package final class Transactions: Sendable {
  /// The longest time without a call.
  static let longestIdleTime = Duration.seconds(60)
  /// The longest time from the beginning.
  static let longestLife = Duration.seconds(270)
  /// The number of calls of one transaction that may be under way, as each may hold a thread.
  static let callLimit = 32
  /// The number of transactions that are remembered after their end.
  static let rememberedCount = 10_000

  package typealias Moment = ContinuousClock.Instant

  fileprivate struct Slot {
    let transaction: OpenTransaction
    let database: DatabaseID
    /// The user who has begun it; `nil` for a caller without a limit of its own.
    let user: Caller?
    let beginning: Moment
    var lastUse: Moment
    /// The number of calls that are under way.
    var callCount = 0
    /// The memory that its reads take.
    var readByteCount = 0
    /// Whether its commit is under way.
    var isEnding = false

    func isOver(at time: Moment) -> Bool {
      time - beginning > Transactions.longestLife
        || callCount == 0 && time - lastUse > Transactions.longestIdleTime
    }
  }

  fileprivate struct State {
    var slots: [TransactionID: Slot] = [:]
    /// The memory that the reads of all take.
    var readByteCount = 0
    var ended = EndedTransactions(capacity: Transactions.rememberedCount)
    var isStopped = false
  }

  private let limit: Int
  private let userLimit: Int?
  private let readByteLimits: (each: Int, all: Int)
  private let now: @Sendable () -> Moment
  private let state = Mutex(State())

  /// - Parameters:
  ///   - limit: the number of transactions that may be open.
  ///   - userLimit: the number of them that one user may have, all callers without a token being
  ///     one. All users together leave as many to administrators. `nil` for no such limit.
  ///   - readByteLimits: the memory that the reads of a transaction without locks may take, and
  ///     those of all together. One that goes beyond is rolled back.
  ///   - now: the clock.
  package init(
    limit: Int = 1_000, userLimit: Int? = nil,
    readByteLimits: (each: Int, all: Int) = (16 * 1_048_576, 128 * 1_048_576),
    now: @escaping @Sendable () -> Moment = { .now }
  ) {
    self.limit = limit
    self.userLimit = userLimit
    self.readByteLimits = readByteLimits
    self.now = now
  }

  /// Whether the number of transactions of each user is limited.
  var limitsUsers: Bool { userLimit != nil }

  /// The number of transactions that are open.
  package var openCount: Int { state.withLock { $0.slots.count } }

  // MARK: The beginning

  /// Begins a transaction.
  ///
  /// - Throws: `resourceExhausted` if too many are open; `unavailable` if the server is stopping;
  ///   the errors of `snapshot(at:)`.
  func begin(
    _ mode: TransactionMode, in database: Database, _ id: DatabaseID, for owner: TransactionOwner,
    user: Caller? = nil, seniority: LockingTransaction.Seniority?
  ) throws(DatabaseError) -> TransactionID {
    let transaction = try OpenTransaction(mode, in: database, seniority: seniority)
    let own = TransactionID(of: owner)
    let time = now()
    let refusal = state.withLock { state -> DatabaseError? in
      guard !state.isStopped else {
        return DatabaseError(.unavailable, "The server is stopping.")
      }
      guard state.slots.count < limit else {
        return DatabaseError(
          .resourceExhausted,
          "The server has \(limit) transactions open, which is its limit. Each ends with its "
            + "commit or rollback, or a minute after its last call.")
      }
      if let user, let excess = excess(of: user, in: state) { return excess }
      state.slots[own] = Slot(
        transaction: transaction, database: id, user: user, beginning: time, lastUse: time)
      return nil
    }
    guard let refusal else { return own }
    transaction.rollback()
    throw refusal
  }

  /// Returns the refusal of a further transaction of a user; `nil` for none.
  private func excess(of user: Caller, in state: State) -> DatabaseError? {
    guard let userLimit else { return nil }
    let own = state.slots.values.count { $0.user == user }
    let all = state.slots.values.count { $0.user != nil }
    guard own >= userLimit || all >= max(1, limit - userLimit) else { return nil }
    return DatabaseError(
      .resourceExhausted,
      own >= userLimit
        ? "You have \(userLimit) transactions open, which is the limit of a user. Each ends with "
          + "its commit or rollback, or a minute after its last call."
        : "Users have \(all) transactions open, which is the limit of all of them.")
  }

  /// Returns the rank of an earlier attempt at a transaction, which is rolled back if it is open.
  ///
  /// - Returns: `nil` for one without locks.
  /// - Throws: `invalidArgument` for an id of no transaction, or of one that only reads.
  func seniority(
    ofEarlier bytes: Data, of owner: TransactionOwner
  ) throws(DatabaseError) -> LockingTransaction.Seniority? {
    let (record, transaction) = try state.withLock { state throws(DatabaseError) in
      let id = try state.known(bytes, of: owner)
      guard let slot = state.slots[id] else { return (state.ended[id], nil as OpenTransaction?) }
      guard !slot.transaction.isReadOnly else { throw .retriesReadOnly }
      return (state.end(id, .rolledBack), slot.transaction)
    }
    transaction?.rollback()
    guard record?.isReadOnly != true else { throw .retriesReadOnly }
    return record?.seniority
  }

  // MARK: Calls

  /// Whether an id is that of a transaction that an owner has, or had.
  func isKnown(_ bytes: Data, to owner: TransactionOwner) -> Bool {
    TransactionID(bytes)?.isOf(owner) ?? false
  }

  /// Returns the database of a transaction.
  ///
  /// - Throws: `aborted` for a transaction that is over; `invalidArgument` for an id of none.
  func database(of bytes: Data, for owner: TransactionOwner) throws(DatabaseError) -> Database {
    let (id, transaction) = try enter(bytes, owner)
    leave(id)
    return transaction.database
  }

  /// Reads in a transaction.
  ///
  /// - Throws: `aborted` for a transaction that is over; `invalidArgument` for an id of none;
  ///   `resourceExhausted` for reads that take too much memory, which end it; the errors of `body`.
  func read<Result: Sendable>(
    in bytes: Data, of owner: TransactionOwner,
    _ body: @escaping @Sendable (DatabaseSnapshot) throws(DatabaseError) -> Result
  ) async throws(DatabaseError) -> Result {
    let (id, transaction) = try enter(bytes, owner)
    defer { leave(id) }
    let result: Result
    do throws(DatabaseError) {
      result = try await transaction.read(body)
    } catch {
      try countReads(of: transaction, id)
      guard isOpen(id), !error.isOfClosedDatabase else {
        end(id, .rolledBack, ifOpen: true)
        throw .transactionIsOver
      }
      // The engine has ended it.
      if error.code == .aborted { end(id, .rolledBack, ifOpen: true) }
      throw error
    }
    try countReads(of: transaction, id)
    return result
  }

  /// Counts the memory that a transaction's reads take, and ends it beyond the limits.
  private func countReads(
    of transaction: OpenTransaction, _ id: TransactionID
  ) throws(DatabaseError) {
    let byteCount = transaction.readByteCount
    guard byteCount > 0 else { return }
    let isBeyond = state.withLock { state in
      // It may have ended meanwhile, and another call of it may have counted more.
      guard let counted = state.slots[id]?.readByteCount, counted < byteCount else { return false }
      state.slots[id]?.readByteCount = byteCount
      state.readByteCount += byteCount - counted
      guard byteCount > readByteLimits.each || state.readByteCount > readByteLimits.all else {
        return false
      }
      state.end(id, .rolledBack)
      return true
    }
    guard isBeyond else { return }
    transaction.rollback()
    throw DatabaseError(
      .resourceExhausted,
      "The reads of an optimistic transaction may take \(readByteLimits.each) bytes, and those of "
        + "all together \(readByteLimits.all). The transaction was rolled back. Read less in it.")
  }

  /// Applies writes in one commit, and ends the transaction, even if the commit fails.
  ///
  /// - Parameter judgement: the judgement of the writes, within the commit; `nil` for none.
  /// - Throws: `aborted` for a transaction that is over, and after a conflict; `invalidArgument`
  ///   for an id of none, and for writes in a transaction that only reads.
  func commit(
    _ writes: [Write], in bytes: Data, of owner: TransactionOwner,
    judging judgement: CommitJudgement? = nil
  ) async throws(DatabaseError) -> CommitResult {
    let (id, transaction) = try enter(bytes, owner, ending: true)
    do throws(DatabaseError) {
      let result = try await transaction.commit(writes, judging: judgement)
      end(id, .committed)
      return result
    } catch {
      let wasOpen = isOpen(id)
      end(id, transaction.isReadOnly ? .refused : .rolledBack)
      throw wasOpen && !error.isOfClosedDatabase ? error : .transactionIsOver
    }
  }

  /// Ends a transaction without writes.
  ///
  /// - Throws: `aborted` for one that was committed; `invalidArgument` for an id of none.
  func rollback(_ bytes: Data, of owner: TransactionOwner) throws(DatabaseError) {
    let transaction = try state.withLock { state throws(DatabaseError) -> OpenTransaction? in
      let id = try state.known(bytes, of: owner)
      if state.ended[id]?.end == .committed { throw .transactionIsOver }
      let transaction = state.slots[id]?.transaction
      state.end(id, .rolledBack)
      return transaction
    }
    transaction?.rollback()
  }

  private func enter(
    _ bytes: Data, _ owner: TransactionOwner, ending: Bool = false
  ) throws(DatabaseError) -> (TransactionID, OpenTransaction) {
    try state.withLock { state throws(DatabaseError) in
      let id = try state.known(bytes, of: owner)
      guard let slot = state.slots[id], !slot.isEnding else {
        throw state.ended[id]?.end == .refused ? .unknownTransaction : .transactionIsOver
      }
      guard slot.callCount < Transactions.callLimit || ending else {
        throw DatabaseError(
          .resourceExhausted,
          "The transaction has \(Transactions.callLimit) calls under way, which is the limit.")
      }
      state.slots[id]?.callCount += 1
      state.slots[id]?.isEnding = ending
      return (id, slot.transaction)
    }
  }

  private func leave(_ id: TransactionID) {
    let time = now()
    state.withLock { state in
      state.slots[id]?.callCount -= 1
      state.slots[id]?.lastUse = time
    }
    if state.withLock(\.isStopped) { end { $0.callCount == 0 } }
  }

  // MARK: The end

  /// Ends the transactions that have been idle, or open, for too long.
  package func endExpired() {
    let time = now()
    end { $0.isOver(at: time) }
  }

  /// Ends the transactions of a database.
  package func endAll(of database: DatabaseID) { end { $0.database == database } }

  /// Begins no more transactions, and ends those that are open: at once, or with the call that is
  /// under way.
  package func stop() {
    state.withLock { $0.isStopped = true }
    end { $0.callCount == 0 }
  }

  private func end(_ isToEnd: (Slot) -> Bool) {
    let over = state.withLock { state in
      state.slots.filter { isToEnd($0.value) }.map { id, slot in
        state.end(id, .rolledBack)
        return slot.transaction
      }
    }
    for transaction in over { transaction.rollback() }
  }

  private func isOpen(_ id: TransactionID) -> Bool { state.withLock { $0.slots[id] != nil } }

  /// Ends a transaction whose work has ended.
  ///
  /// - Parameter ifOpen: whether the end of one that has ended otherwise stays as it is.
  private func end(
    _ id: TransactionID, _ end: EndedTransactions.End, ifOpen: Bool = false
  ) {
    // The last reference to a database is not given up under the lock.
    let transaction = state.withLock { state in
      let transaction = state.slots[id]?.transaction
      if transaction != nil || !ifOpen { state.end(id, end) }
      return transaction
    }
    withExtendedLifetime(transaction) {}
  }
}

extension Transactions.State {
  /// Returns the id of a transaction that is or was open.
  ///
  /// - Throws: `invalidArgument` for bytes that are no id, and for that of another owner's.
  fileprivate func known(
    _ bytes: Data, of owner: TransactionOwner
  ) throws(DatabaseError) -> TransactionID {
    guard let id = TransactionID(bytes), id.isOf(owner) else { throw .unknownTransaction }
    return id
  }

  /// Removes an open transaction, and remembers its end. A commit that was being written when its
  /// transaction was rolled back is the end all the same.
  ///
  /// - Returns: the record of the transaction.
  @discardableResult
  fileprivate mutating func end(
    _ id: TransactionID, _ end: EndedTransactions.End
  ) -> EndedTransactions.Record? {
    if let slot = slots.removeValue(forKey: id) {
      readByteCount -= slot.readByteCount
      ended.add(
        EndedTransactions.Record(
          end: end, isReadOnly: slot.transaction.isReadOnly,
          seniority: slot.transaction.seniority), id)
    } else {
      ended.change(id, to: end)
    }
    return ended[id]
  }
}
