import Dispatch
import HearthAdminSocket
import HearthDocumentEngine
package import HearthDocumentModel
#if Tracing
  import Tracing
#endif

/// Threads for calls that block, so that Swift's own threads never do: a commit waits for a disk,
/// and a cold read may.
///
/// A serial queue has a thread of its own, up to 255 of one quality of service. Concurrent queues
/// share a few threads with Swift's tasks of the same quality of service. Calls that end something
/// have threads of their own in any number, as calls may wait for each other.
package enum Blocking {
  /// Kinds of calls by what they may wait for. No kind takes the threads of another.
  package enum Kind: Sendable {
    /// Waits only for the disk.
    case read
    /// Waits for other commits too, up to a second for the last attempt of a transaction, and up to
    /// a limit for locks.
    case change
    /// May wait without a bound: for a lock, for its turn, for a build that is paused.
    case unbounded
    /// Waits only for the disk, and is done by its caller if no thread comes in time.
    case side
    /// Takes a thread of its own, in any number: a closing and the calls of a transaction that
    /// holds locks, for which other calls wait, and the calls of a server that may wait for those.
    case ending

    fileprivate var queue: DispatchQueue {
      switch self {
      case .read: Blocking.reads
      case .change: DispatchQueue(label: "hearth.change", qos: .utility)
      case .unbounded: DispatchQueue(label: "hearth.unbounded", qos: .background)
      case .side: Blocking.sides
      case .ending: DispatchQueue(label: "hearth.ending", qos: .userInteractive)
      }
    }
  }

  private static let sides = DispatchQueue(
    label: "hearth.side", qos: .userInitiated, attributes: .concurrent)

  private static let reads = DispatchQueue(
    label: "hearth", qos: .userInitiated, attributes: .concurrent)

  /// Runs `body` on a thread that may block.
  ///
  /// - Throws: `cancelled` if the task was cancelled before `body` began; the errors of `body`;
  ///   `failedPrecondition` in a forked process, which has no such threads.
  package static func run<Result: Sendable>(
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

  /// Checks that the process isn't a forked one, in which work that is started never runs.
  ///
  /// - Throws: `failedPrecondition` in a forked process.
  package static func checkProcess() throws(DatabaseError) { try Engine.checkProcess() }

  /// Starts `work` on a thread that may block. The thread isn't the task's, so the task-local
  /// values that the call needs are passed on by hand.
  package static func start(_ kind: Kind, _ work: @escaping @Sendable () -> Void) {
    var work = work
    var queue = kind.queue
    let attempts = LoneAttempt.running
    if !attempts.isEmpty {
      work = { [work] in LoneAttempt.$current.withValue(attempts, operation: work) }
      // All other threads may have to wait for just this attempt.
      if attempts.contains(where: \.hasTurn) {
        queue = DispatchQueue(label: "hearth.attempt", qos: .userInitiated)
      }
    }
    #if Tracing
      let context = ServiceContext.current
      work = { [work] in ServiceContext.$current.withValue(context, operation: work) }
    #endif
    // If the system has no room for a further thread, it has to wait for one after all.
    if kind == .ending, (try? OwnProcess.startThread(work)) != nil { return }
    queue.async(execute: work)
  }
}
