import Dispatch
import HearthDocumentModel

/// The pauses between the attempts of a transaction. Each is half as long again as the one before,
/// plus or minus half of it at random, so that transactions that met don't meet again (§7.4).
///
/// Firestore begins with a second, since an attempt needs a round trip. Here the other transactions
/// finish in the time of a synced write, so the first pause is a millisecond.
struct Backoff {
  private static let growth = 1.5
  private static let longest = Duration.milliseconds(60)

  private var pause = Duration.milliseconds(1)

  private mutating func next() -> Duration {
    defer { pause = min(pause * Backoff.growth, Backoff.longest) }
    return pause * Double.random(in: 0.5...1.5)
  }

  /// Blocks the thread for the next pause.
  mutating func wait() {
    let nanoseconds = Int(next() / .nanoseconds(1))
    // No thread signals the semaphore: the timeout ends the wait.
    _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .nanoseconds(nanoseconds))
  }

  /// Suspends the task for the next pause.
  ///
  /// - Throws: `cancelled` if the task was cancelled.
  mutating func wait() async throws(DatabaseError) {
    do {
      try await Task.sleep(for: next())
    } catch {
      throw DatabaseError(
        .cancelled, "The task was cancelled while its transaction was retried.", cause: error)
    }
  }
}
