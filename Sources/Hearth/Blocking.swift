import Dispatch
import DocumentEngine
import DocumentModel
#if Tracing
  import Tracing
#endif

/// The threads that asynchronous calls block, so that Swift's own never do: a commit waits for a
/// disk, and a cold read may.
enum Blocking {
  private static let queue = DispatchQueue(
    label: "hearth", qos: .userInitiated, attributes: .concurrent)

  /// Runs `body` on a thread that may block.
  ///
  /// - Throws: `cancelled` if the task was cancelled before it began; what `body` throws;
  ///   `failedPrecondition` in a forked process, which has no such threads.
  static func run<Result: Sendable>(
    _ body: @escaping @Sendable () throws(DatabaseError) -> Result
  ) async throws(DatabaseError) -> Result {
    guard !Task.isCancelled else {
      throw DatabaseError(.cancelled, "The task was cancelled before the operation began.")
    }
    try Engine.checkProcess()
    let outcome = await withCheckedContinuation { continuation in
      start { continuation.resume(returning: Swift.Result(catching: body)) }
    }
    return try outcome.get()
  }

  /// The thread is not the task's, so what the call belongs to goes with it by hand.
  private static func start(_ work: @escaping @Sendable () -> Void) {
    var work = work
    var queue = queue
    let attempts = LoneAttempt.current
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
