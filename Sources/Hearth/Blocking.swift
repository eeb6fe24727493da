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
  /// Of the process that has these threads.
  private static let process = Engine.processMark()

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
    try process.check()
    #if Tracing
      // The thread is not the task's, so the span that the call belongs to goes with it by hand.
      let context = ServiceContext.current
      let work: @Sendable () -> Swift.Result<Result, DatabaseError> = {
        ServiceContext.$current.withValue(context) { Swift.Result(catching: body) }
      }
    #else
      let work: @Sendable () -> Swift.Result<Result, DatabaseError> = {
        Swift.Result(catching: body)
      }
    #endif
    let outcome = await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: work()) }
    }
    return try outcome.get()
  }
}
