package import HearthDocumentModel
import HearthOrderedStore

/// A transaction that locks what it reads until it ends (§7.4).
///
/// No view and no thread is held between its calls. Each read takes the newest view and locks the
/// keys that it depends on. So everything that was read still holds when the transaction commits:
/// writers of these keys wait. It may be used from any thread.
package final class LockingScope: Sendable {
  private struct Use {
    /// The number of calls that are running.
    var callCount = 0
    /// The moment at which the last call ended.
    var last: UInt64
    /// Whether the commit has begun, or the transaction was rolled back.
    var hasEnded = false
  }

  private let writer: CommitWriter
  private let holder: LockHolderID
  private let beginning: UInt64
  private let use: Lock<Use>
  /// The rank by age, which a later attempt at the same transaction can take over. The lowest is
  /// the oldest.
  package let seniority: UInt64

  /// - Parameter seniority: the rank of an earlier attempt; `nil` for none.
  init(_ writer: CommitWriter, seniority: UInt64?) throws(DatabaseError) {
    try writer.publication.process.check()
    let begun = try writer.committer.locks.open(seniority: seniority)
    self.writer = writer
    holder = begun.id
    self.seniority = begun.seniority
    beginning = writer.publication.clock.monotonicNanoseconds()
    use = Lock(Use(last: beginning))
  }

  deinit { rollback() }

  private var locks: LockTable { writer.committer.locks }

  // MARK: Reading

  /// Runs `body` on the newest view, and locks what it reads through the view.
  ///
  /// Nothing is locked if `body` throws. The partitions of a query are not locked.
  ///
  /// - Parameter body: a closure that reads. It runs again if what it read was changed before it
  ///   was locked, or if it has to wait for a write that came first.
  /// - Complexity: the cost of the reads; for each range read, the logarithm of the number of
  ///   locked ranges.
  /// - Throws: the errors of `body`; `aborted` once the transaction has ended, or after the longest
  ///   wait, which ends it; `resourceExhausted` for too many locked ranges; errors of the store.
  package func read<Result>(
    _ body: (ReadView) throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result {
    try writer.publication.process.check()
    try begin()
    defer { end() }
    let follower = writer.log.follow()
    var patience = LockPatience(locks.limits)
    while true {
      // Follows before the view is taken, so that the log has all commits that the view lacks.
      let view = try writer.publication.readView()
      follower.move(to: view.commitNumber)
      guard locks.isOpen(holder) else { throw .transactionExpired }
      let recorder = ReadRecorder()
      let result = try body(view.recording(to: recorder))
      let reads = recorder.merged()
      if try lock(reads, &patience), isCurrent(reads, since: view) { return result }
    }
  }

  /// - Returns: whether the keys are locked; `false` if they have to be read again.
  private func lock(
    _ reads: ReadSet.Merged, _ patience: inout LockPatience
  ) throws(DatabaseError) -> Bool {
    guard let wait = try locks.lock(reads, for: holder) else { return true }
    guard !wait.wait(until: patience.deadline()) else { return false }
    locks.giveUp(wait, of: holder)
    rollback()
    throw aborted(.contention)
  }

  /// Whether no commit since `view` has touched `reads`, which are locked now.
  private func isCurrent(_ reads: ReadSet.Merged, since view: ReadView) -> Bool {
    // It may have looked at the locks too early to see these.
    writer.publication.waitForCommitUnderWay()
    guard let commits = writer.log.commits(after: view.commitNumber) else { return false }
    return !commits.contains(where: reads.isTouched(by:))
  }

  // MARK: The end

  /// Applies `writes` in order, all or none, and ends the transaction, even if the commit fails.
  ///
  /// It waits for other transactions that have locked what it writes.
  ///
  /// - Complexity: the same as `Engine.commit`.
  /// - Throws: `aborted` once the transaction has ended, after the longest wait, or for the younger
  ///   of two that wait for each other; the errors of `Engine.commit`.
  package func commit(
    _ writes: [Write], judging judgement: CommitJudgement? = nil
  ) throws(DatabaseError) -> CommitResult {
    try writer.publication.process.check()
    try begin(ending: true)
    defer {
      locks.release(holder)
      end()
    }
    do throws(DatabaseError) {
      return try writer.commit(writes, judging: judgement, holding: holder)
    } catch {
      throw error.code == .aborted ? aborted(error) : error
    }
  }

  /// Ends the transaction without writes, and releases its locks. A commit of it that waits is
  /// aborted, and one that is being written goes on. Idempotent. In a forked process it does
  /// nothing.
  package func rollback() {
    guard !writer.publication.process.isInherited else { return }
    use.withLock { $0.hasEnded = true }
    locks.release(holder)
  }

  private func aborted(_ error: DatabaseError) -> DatabaseError {
    writer.publication.observer?.observe(.transactionConflicted(error))
    return error
  }

  // MARK: Use

  /// The time since its last call ended; zero while a call is running.
  package var idleTime: Duration {
    let last = use.withLock { $0.callCount > 0 ? nil : $0.last }
    return last.map(elapsed) ?? .zero
  }

  /// The time since its beginning.
  package var age: Duration { elapsed(since: beginning) }

  private func elapsed(since moment: UInt64) -> Duration {
    .nanoseconds(Int64(clamping: writer.publication.clock.monotonicNanoseconds() &- moment))
  }

  private func begin(ending: Bool = false) throws(DatabaseError) {
    try use.withLock { use throws(DatabaseError) in
      guard !use.hasEnded else { throw .transactionExpired }
      use.callCount += 1
      use.hasEnded = ending
    }
  }

  private func end() {
    let now = writer.publication.clock.monotonicNanoseconds()
    use.withLock { use in
      use.callCount -= 1
      use.last = now
    }
  }
}
