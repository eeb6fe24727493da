import Dispatch
import DocumentEngine
import DocumentModel
#if Tracing
  import Tracing
#endif

/// The threads that asynchronous calls block, so that Swift's own never do: a commit waits for a
/// disk, and a cold read may.
enum Blocking {
  /// Kinds of calls by what they may wait for.
  enum Kind {
    /// Waits for the disk at most.
    case read
    /// May wait for other commits too, and for the last attempt of a transaction.
    case change

    fileprivate var queue: DispatchQueue {
      switch self {
      case .read: Blocking.reads
      case .change: Blocking.changes
      }
    }
  }

  private static let reads = DispatchQueue(
    label: "hearth", qos: .userInitiated, attributes: .concurrent)
  /// All queues of one quality of service share a few threads, so that this one is of another:
  /// however many changes wait, there is a thread for a read. What is interactive shares those of
  /// what the user initiated, and what is default those of Swift's tasks.
  private static let changes = DispatchQueue(
    label: "hearth.changes", qos: .utility, attributes: .concurrent)

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
    try Engine.checkProcess()
    let outcome = await withCheckedContinuation { continuation in
      start(kind) { continuation.resume(returning: Swift.Result(catching: body)) }
    }
    return try outcome.get()
  }

  /// The thread is not the task's, so what the call belongs to goes with it by hand.
  private static func start(_ kind: Kind, _ work: @escaping @Sendable () -> Void) {
    var work = work
    var queue = kind.queue
    let attempts = LoneAttempt.running
    if !attempts.isEmpty {
      work = { [work] in LoneAttempt.$current.withValue(attempts, operation: work) }
      // Others may have all threads of the usual queue, and wait for just this attempt: a serial
      // queue of its own always has one.
      queue = DispatchQueue(label: "hearth.attempt", qos: .userInitiated)
    }
    #if Tracing
      let context = ServiceContext.current
      queue.async { [work] in ServiceContext.$current.withValue(context, operation: work) }
    #else
      queue.async(execute: work)
    #endif
  }
}
