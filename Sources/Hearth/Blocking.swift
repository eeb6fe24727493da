import Dispatch
import DocumentModel

/// The threads that asynchronous calls block, so that Swift's own never do: a commit waits for a
/// disk, and a cold read may.
enum Blocking {
  private static let queue = DispatchQueue(
    label: "hearth", qos: .userInitiated, attributes: .concurrent)

  /// Runs `body` on a thread that may block.
  ///
  /// - Throws: `cancelled` if the task was cancelled before it began; what `body` throws.
  static func run<Result: Sendable>(
    _ body: @escaping @Sendable () throws(DatabaseError) -> Result
  ) async throws(DatabaseError) -> Result {
    guard !Task.isCancelled else {
      throw DatabaseError(.cancelled, "The task was cancelled before the operation began.")
    }
    let outcome = await withCheckedContinuation { continuation in
      queue.async {
        continuation.resume(returning: Swift.Result(catching: body))
      }
    }
    return try outcome.get()
  }
}
