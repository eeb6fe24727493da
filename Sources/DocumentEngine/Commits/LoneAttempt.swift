import HearthDocumentModel
import HearthOrderedStore
import Synchronization

/// The last attempt of a transaction that has met nothing but conflicts. The commits of all others
/// wait for it, so that none comes between its reads and its own.
///
/// They wait for a second at most, counted from the beginning of its turn. Then everything goes on
/// as usual, and the attempt may meet a conflict once more. Such attempts take turns.
package final class LoneAttempt: Sendable {
  /// The attempts inside whose closures the code runs, each of another database. A commit from
  /// there would wait for itself. Child tasks inherit them, threads don't.
  @TaskLocal package static var current: [LoneAttempt] = []

  /// The attempts of `current` that have not ended. Tasks that were begun in a closure may go on
  /// for ever.
  package static var running: [LoneAttempt] {
    current.isEmpty ? [] : current.filter { !$0.hasEnded.load(ordering: .relaxed) }
  }

  /// The moment up to which it holds others up; `nil` before its turn.
  private let deadline = Lock<UInt64?>(nil)
  private let hasEnded = Atomic(false)

  package init() {}

  /// Runs the closure of a transaction; inside `attempt`, if the transaction runs alone.
  package static func run<Result>(
    _ attempt: LoneAttempt?, _ body: () throws -> Result
  ) rethrows -> Result {
    guard let attempt else { return try body() }
    return try $current.withValue(current + [attempt], operation: body)
  }

  package static func run<Result>(
    _ attempt: LoneAttempt?, isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> Result
  ) async rethrows -> Result {
    guard let attempt else { return try await body() }
    return try await $current.withValue(current + [attempt], operation: body)
  }

  /// Blocks until its turn comes, or up to `moment`.
  ///
  /// - Returns: whether its turn has come.
  func waitForTurn(until moment: UInt64) -> Bool {
    deadline.wait(untilNanoseconds: moment) { $0 != nil }
  }

  func takeTurn(until moment: UInt64) { deadline.withLock { $0 = moment } }

  /// Whether its turn has come. It may be over.
  package var hasTurn: Bool { end > 0 }

  /// The moment up to which it holds others up; 0 before its turn.
  var end: UInt64 { deadline.withLock { $0 ?? 0 } }

  func noteEnd() { hasEnded.store(true, ordering: .relaxed) }
}

extension Committer {
  /// Blocks until `attempt` is alone. No other thread commits before `end(_:)`, or before the
  /// attempt's time is over.
  ///
  /// Attempts take turns in the order of their calls. Commits that one of them has held up come
  /// before the next attempt.
  ///
  /// - Throws: `failedPrecondition` inside the closure of another attempt, which would wait for
  ///   itself.
  func begin(_ attempt: LoneAttempt) throws(DatabaseError) {
    var present = try queue.withLock { queue throws(DatabaseError) -> LoneAttempt? in
      try queue.checkIsNotInside()
      queue.running.append(attempt)
      guard let present = queue.holder else {
        start(attempt, &queue)
        return nil
      }
      queue.line.append(attempt)
      return present
    }
    while let holder = present, !attempt.waitForTurn(until: holder.end) {
      present = queue.withLock { queue in
        if queue.holder === holder { release(&queue) }
        return queue.holder
      }
    }
    // Earlier commits have to be done, so that the attempt reads them. If it is no longer the
    // holder, others may commit, and it isn't alone any more.
    queue.withLock(when: { !$0.isLed || $0.holder !== attempt }) { _ in }
  }

  /// Ends `attempt` and lets the others go on.
  func end(_ attempt: LoneAttempt) {
    attempt.noteEnd()
    queue.withLock { queue in
      queue.running.removeAll { $0 === attempt }
      queue.line.removeAll { $0 === attempt }
      if queue.holder === attempt { release(&queue) }
    }
  }

  private func start(_ attempt: LoneAttempt, _ queue: inout Queue) {
    queue.holder = attempt
    attempt.takeTurn(until: MonotonicClock.nanoseconds() &+ holdingNanoseconds)
  }

  /// Puts the held requests into the queue in the order of their arrival, and begins the turn of
  /// the next attempt.
  func release(_ queue: inout Queue) {
    queue.holder = nil
    queue.waiting += queue.held
    queue.held = []
    if !queue.isLed, let first = queue.waiting.first {
      queue.isLed = true
      first.handLead()
    }
    if !queue.line.isEmpty { start(queue.line.removeFirst(), &queue) }
  }
}
