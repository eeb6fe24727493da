import Dispatch
import DocumentEngine
package import DocumentModel
#if Tracing
  import Tracing
#endif

/// The threads that calls block, so that Swift's own never do: a commit waits for a disk, and a
/// cold read may.
///
/// Serial queues have a thread each, up to 255 of one quality of service; concurrent ones share a
/// few with Swift's tasks of theirs.
package enum Blocking {
  /// Kinds of calls by what they may wait for. None takes the threads of another.
  package enum Kind: Sendable {
    /// Waits for the disk at most.
    case read
    /// Waits for other commits too, and up to a second for the last attempt of a transaction.
    case change
    /// May wait without a bound: for a lock, for its turn, for a build that is paused.
    case unbounded
    /// Ends what others wait for, and may take long.
    case ending

    fileprivate var queue: DispatchQueue {
      switch self {
      case .read: Blocking.reads
      case .change: DispatchQueue(label: "hearth.change", qos: .utility)
      case .unbounded: DispatchQueue(label: "hearth.unbounded", qos: .background)
      case .ending: DispatchQueue(label: "hearth.ending", qos: .userInteractive)
      }
    }
  }

  private static let reads = DispatchQueue(
    label: "hearth", qos: .userInitiated, attributes: .concurrent)

  /// Runs `body` on a thread that may block.
  ///
  /// - Throws: `cancelled` if the task was cancelled before it began; what `body` throws;
  ///   `failedPrecondition` in a forked process, which has no such threads.
  static func run<Result: Sendable>(
    _ kind: Kind = .read, _ body: @escaping @Sendable () throws(DatabaseError) -> Result
  ) async throws(DatabaseError) -> Result {
    guard !Task.isCancelled else {
      throw DatabaseError(.cancelled, "The task was cancelled before the operation began.")
    }
    try checkProcess()
    let outcome = await withCheckedContinuation { continuation in
      start(kind) { continuation.resume(returning: Swift.Result(catching: body)) }
    }
    return try outcome.get()
  }

  /// - Throws: `failedPrecondition` in a forked process: what is started there never runs.
  package static func checkProcess() throws(DatabaseError) { try Engine.checkProcess() }

  /// Runs `work` on a thread that may block. The thread is not the task's, so what the call belongs
  /// to goes with it by hand.
  package static func start(_ kind: Kind, _ work: @escaping @Sendable () -> Void) {
    var work = work
    var queue = kind.queue
    let attempts = LoneAttempt.running
    if !attempts.isEmpty {
      work = { [work] in LoneAttempt.$current.withValue(attempts, operation: work) }
      // All others may have to wait for just this attempt.
      if attempts.contains(where: \.hasTurn) {
        queue = DispatchQueue(label: "hearth.attempt", qos: .userInitiated)
      }
    }
    #if Tracing
      let context = ServiceContext.current
      queue.async { [work] in ServiceContext.$current.withValue(context, operation: work) }
    #else
      queue.async(execute: work)
    #endif
  }
}
