import HearthDocumentModel
import HearthOrderedStore
import Synchronization

/// A request that may have to wait for locks.
///
/// The table calls it while its own lock is held, so that no call comes too late. It must return at
/// once and call nothing of the table.
protocol LockWaiter: Sendable {
  /// The identity of the request.
  var id: ObjectIdentifier { get }
  /// Whether the request has time left to wait.
  var mayWait: Bool { get }
  /// Takes the time that is left from the request.
  func endTime()
  /// Begins the wait, which `resume()` or `refuse()` ends.
  func park()
  /// Puts the request back, so that it is staged again.
  func resume()
  /// Answers the request with the error of a transaction that was aborted.
  func refuse()
}

/// A read that waits for requests which came first.
final class LockedRead: Sendable {
  /// Whether the read may be repeated; `nil` while it has to wait.
  private let outcome = Lock<Bool?>(nil)

  fileprivate var id: ObjectIdentifier { ObjectIdentifier(self) }

  fileprivate func end(mayRepeat: Bool) { outcome.withLock { $0 = $0 ?? mayRepeat } }

  /// Blocks until the read may be repeated, or up to a moment of the monotonic clock.
  ///
  /// - Returns: whether it may be repeated.
  func wait(until nanoseconds: UInt64) -> Bool {
    _ = outcome.wait(untilNanoseconds: nanoseconds) { $0 != nil }
    return outcome.withLock { $0 ?? false }
  }
}

/// The locks of an engine's transactions, for all threads.
///
/// While no transaction is open, a commit reads ``isInUse`` and nothing else. A transaction that
/// begins later finds out about commits under way by itself.
final class LockTable: Sendable {
  fileprivate struct State: Sendable {
    var graph = LockGraph()
    /// The requests that wait or have waited, up to their answers.
    var waiters: [ObjectIdentifier: any LockWaiter] = [:]
    var reads: [ObjectIdentifier: LockedRead] = [:]
    var isClosed = false
  }

  let limits: LockLimits
  private let state = Lock(State())
  private let holderCount = Atomic(0)

  init(_ limits: LockLimits) {
    self.limits = limits
  }

  /// Whether a transaction with locks is open.
  var isInUse: Bool { holderCount.load(ordering: .relaxed) > 0 }

  /// The number of requests and reads that wait.
  var waiterCount: Int { state.withLock { $0.graph.waiterCount } }

  // MARK: Transactions

  /// Adds a transaction.
  ///
  /// - Parameter seniority: the rank by age of an earlier attempt, which it takes over.
  /// - Throws: `resourceExhausted` if too many are open; `failedPrecondition` once the database is
  ///   closed.
  func open(seniority: UInt64?) throws(DatabaseError) -> (id: LockHolderID, seniority: UInt64) {
    try change { state throws(DatabaseError) in
      guard !state.isClosed else {
        throw DatabaseError(StoreError(.closed, "the database was closed"))
      }
      guard state.graph.holderCount < limits.transactionCount else {
        throw DatabaseError(
          .resourceExhausted,
          "\(limits.transactionCount) transactions with locks are open, and no more may be. "
            + "Commit or roll back others first.")
      }
      let id = state.graph.open(seniority: seniority)
      return (id, state.graph.seniority(of: id))
    }
  }

  func isOpen(_ id: LockHolderID) -> Bool { state.withLock { $0.graph.isOpen(id) } }

  /// Ends a transaction and releases its locks. A commit of it that still waits is refused.
  /// Idempotent.
  func release(_ id: LockHolderID) { change { $0.graph.release(id) } }

  /// Ends all transactions, and keeps others from beginning.
  func close() {
    change { state in
      state.isClosed = true
      state.graph.releaseAll()
    }
  }

  // MARK: Reads

  /// Locks the keys of a read.
  ///
  /// - Returns: the read to wait for and to repeat; `nil` if the keys are locked.
  /// - Throws: `aborted` for a transaction that has ended; `resourceExhausted` for too many ranges,
  ///   or too long ones.
  func lock(_ reads: ReadSet.Merged, for id: LockHolderID) throws(DatabaseError) -> LockedRead? {
    try change { state throws(DatabaseError) in
      guard state.graph.isOpen(id) else { throw .transactionExpired }
      guard reads.rangeCount <= limits.rangeCount - state.graph.rangeCount else {
        throw DatabaseError(
          .resourceExhausted,
          "Transactions with locks hold \(state.graph.rangeCount) key ranges, and may hold "
            + "\(limits.rangeCount). Read less in transactions, or commit them sooner.")
      }
      guard reads.byteCount <= limits.byteCount - state.graph.rangeByteCount else {
        throw DatabaseError(
          .resourceExhausted,
          "Transactions with locks hold key ranges of \(state.graph.rangeByteCount) bytes, and may "
            + "hold \(limits.byteCount). Read less in transactions, or commit them sooner.")
      }
      let read = LockedRead()
      guard !state.graph.lock(reads, for: id, as: read.id) else { return nil }
      state.reads[read.id] = read
      return read
    }
  }

  /// Gives up a read that waits.
  func giveUp(_ read: LockedRead, of id: LockHolderID) {
    change { state in
      state.graph.giveUp(read.id, of: id)
      state.reads[read.id] = nil
    }
  }

  // MARK: Requests

  /// Lets a request go on whose keys no other transaction holds.
  ///
  /// - Parameters:
  ///   - owner: the transaction that the request commits; `nil` for none.
  ///   - givesUpEntries: whether scans can't be found by their entries after the request.
  ///   - forEachKey: calls its argument with each key that the request writes.
  /// - Throws: `LockWait` if the request waits from now on; `aborted` if it may not wait, for the
  ///   youngest of transactions that wait for each other, and for one that has ended.
  func admit(
    _ waiter: any LockWaiter, of owner: LockHolderID?, givingUpEntries givesUpEntries: Bool,
    _ forEachKey: ((RawSpan) -> Void) -> Void
  ) throws {
    try change { state in
      if let owner, !state.graph.isOpen(owner) { throw DatabaseError.transactionExpired }
      let holders = state.graph.holders(
        besides: owner, givingUpEntries: givesUpEntries, forEachKey)
      let admission = state.graph.admit(
        waiter.id, of: owner,
        writing: WrittenKeys(forEachKey, givesUpEntries: givesUpEntries),
        heldBy: holders, mayWait: waiter.mayWait)
      switch admission {
      case .isFree: return
      case .isRefused: throw DatabaseError.contention
      case .waits:
        state.waiters[waiter.id] = waiter
        waiter.park()
        throw LockWait()
      }
    }
  }

  /// Puts a request back whose time is over, so that it is staged once more.
  func withdraw(_ id: ObjectIdentifier) { change { $0.graph.withdraw(id) } }

  /// Removes a request that has waited and has its answer.
  func settle(_ id: ObjectIdentifier) {
    change { state in
      state.graph.settle(id)
      state.waiters[id] = nil
    }
  }

  /// Ends all waits as if their time were over. For tests, which can't wait for it.
  func endWaits() {
    change { state in
      for waiter in state.waiters.values { waiter.endTime() }
      state.graph.withdrawAll()
      for read in state.reads.values { read.end(mayRepeat: false) }
    }
  }

  // MARK: The state

  /// Changes the state, and wakes the waiters that the change frees.
  private func change<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try state.withLock { state throws(Failure) in
      defer {
        state.wakeFreed()
        holderCount.store(state.graph.holderCount, ordering: .relaxed)
      }
      return try body(&state)
    }
  }
}

/// The way out of staging a request that waits for locks. It is staged again later.
struct LockWait: Error {}

extension LockTable.State {
  fileprivate mutating func wakeFreed() {
    let freed = graph.takeFreed()
    for id in freed.reads { reads.removeValue(forKey: id)?.end(mayRepeat: true) }
    for id in freed.refused { waiters.removeValue(forKey: id)?.refuse() }
    // Each goes to the head of the queue, so the first comes last.
    for id in freed.requests.reversed() { waiters[id]?.resume() }
  }
}
