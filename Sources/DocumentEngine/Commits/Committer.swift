import HearthDocumentModel
import HearthOrderedStore
import HearthStorageFormat

/// Makes commits durable, several in one synced write.
///
/// There is no thread behind it. A caller that finds no leader leads: it takes the waiting requests
/// that fit together, writes them as one batch, answers them, and hands the lead to the next
/// waiting caller. All other callers wait for an answer or for the lead, as LevelDB's own writers
/// do. All changes of a database pass here, one group at a time, so nothing that a group reads can
/// change under it.
///
/// A request that writes what a transaction has locked leaves its group, and comes back to the head
/// of the queue later: see ``LockTable``. The last attempt of a transaction may hold all others up
/// for a moment: see ``LoneAttempt``.
final class Committer: Sendable {
  struct Queue {
    var waiting: [CommitRequest] = []
    var isLed = false
    /// The attempt for which others wait.
    var holder: LoneAttempt?
    /// The requests that wait for it.
    var held: [CommitRequest] = []
    /// The attempts that wait for their turn, in order.
    var line: [LoneAttempt] = []
    /// All attempts from their beginning to their end, also those for which no others wait any
    /// more.
    var running: [LoneAttempt] = []
  }

  private enum Admission {
    case leads
    case follows
    /// The request waits for an attempt.
    case isHeld(by: LoneAttempt)
  }

  let queue = Lock(Queue())
  /// The longest time that an attempt may hold others up.
  let holdingNanoseconds: UInt64
  let locks: LockTable

  init(holdingNanoseconds: UInt64, _ locks: LockTable) {
    self.holdingNanoseconds = holdingNanoseconds
    self.locks = locks
  }

  /// Blocks until `request` is answered.
  ///
  /// - Parameter write: answers each request of a group. Only one thread at a time calls it.
  /// - Throws: the error of the answer; `failedPrecondition` from inside the closure of an attempt
  ///   that runs alone, if the request isn't the attempt's own.
  func commit(
    _ request: CommitRequest, write: ([CommitRequest]) -> Void
  ) throws(DatabaseError) -> CommitResult {
    let admission = try queue.withLock { queue throws(DatabaseError) in try admit(request, &queue) }
    if case .isHeld(by: let holder) = admission, !request.waitForWord(until: holder.end) {
      // The attempt's time is over, though it may not have ended.
      queue.withLock { queue in
        if queue.holder === holder { release(&queue) }
      }
    }
    var patience = LockPatience(locks.limits)
    var leads = if case .leads = admission { true } else { waitForLead(request, &patience) }
    while leads {
      leads = !lead(until: request, write) && waitForLead(request, &patience)
    }
    return try request.answer()
  }

  /// Blocks until the caller is to lead or has its answer, also while the request waits for locks.
  ///
  /// - Returns: whether the caller is to lead.
  private func waitForLead(_ request: CommitRequest, _ patience: inout LockPatience) -> Bool {
    while true {
      switch request.waitForWord() {
      case .lead: return true
      case .answer: return false
      case .park:
        // The transaction that it waits for may be held up itself.
        queue.withLock { queue in
          if let attempt = request.attempt, queue.holder === attempt { release(&queue) }
        }
        guard !request.waitWhileParked(until: patience.deadline()) else { continue }
        request.endParking()
        locks.withdraw(ObjectIdentifier(request))
      }
    }
  }

  /// - Throws: `failedPrecondition` inside the closure of an attempt that runs alone.
  func checkIsNotInside() throws(DatabaseError) {
    guard !LoneAttempt.running.isEmpty else { return }
    try queue.withLock { queue throws(DatabaseError) in try queue.checkIsNotInside() }
  }

  private func admit(
    _ request: CommitRequest, _ queue: inout Queue
  ) throws(DatabaseError) -> Admission {
    if !queue.running.isEmpty {
      if request.attempt == nil { try queue.checkIsNotInside() }
      if let holder = queue.holder, holder !== request.attempt {
        queue.held.append(request)
        return .isHeld(by: holder)
      }
    }
    queue.waiting.append(request)
    defer { queue.isLed = true }
    return queue.isLed ? .follows : .leads
  }

  /// Leads until `request` is answered or waits for locks. That takes more than one group only if
  /// the request did not fit into the first.
  ///
  /// - Returns: whether it is answered.
  private func lead(until request: CommitRequest, _ write: ([CommitRequest]) -> Void) -> Bool {
    var isAnswered = false
    repeat {
      write(queue.withLock { Committer.takeGroup(from: &$0) })
      isAnswered = request.isAnswered
    } while !isAnswered && isQueued(request)
    let next = queue.withLock { queue in
      queue.isLed = !queue.waiting.isEmpty
      return queue.waiting.first
    }
    next?.handLead()
    return isAnswered
  }

  private func isQueued(_ request: CommitRequest) -> Bool {
    queue.withLock { $0.waiting.contains { $0 === request } }
  }

  /// Puts a request that has waited for locks at the head of the queue.
  func putBack(_ request: CommitRequest) {
    queue.withLock { queue in
      request.unpark()
      queue.waiting.insert(request, at: 0)
      guard !queue.isLed else { return }
      queue.isLed = true
      request.handLead()
    }
  }

  /// Takes the requests at the head of the queue that may share a group. No document is written
  /// twice, and an exclusive request is alone.
  private static func takeGroup(from queue: inout Queue) -> [CommitRequest] {
    guard queue.waiting.count > 1 else {
      defer { queue.waiting.removeAll(keepingCapacity: true) }
      return queue.waiting
    }
    var paths: Set<ResourcePath> = []
    var byteCount = 0
    var count = 0
    for request in queue.waiting {
      let fits =
        count == 0
        || (!request.isExclusive && byteCount < CommitDraft.byteCountLimit
          && paths.isDisjoint(with: request.writes.lazy.map(\.path)))
      guard fits else { break }
      count += 1
      if request.isExclusive { break }
      paths.formUnion(request.writes.lazy.map(\.path))
      byteCount += request.byteCount
    }
    defer { queue.waiting.removeFirst(count) }
    return Array(queue.waiting.prefix(count))
  }
}

extension Committer.Queue {
  /// - Throws: `failedPrecondition` inside the closure of an attempt that runs alone, whether or
  ///   not it still holds others up.
  func checkIsNotInside() throws(DatabaseError) {
    let isInside = LoneAttempt.running.contains { attempt in
      running.contains { $0 === attempt }
    }
    guard isInside else { return }
    throw DatabaseError(
      .failedPrecondition,
      "The last attempt of a transaction runs alone, so that a commit from within its closure "
        + "would wait for itself. Write through the transaction that the closure is given, or "
        + "when the transaction has ended.")
  }
}
