import HearthProtocols
import Synchronization

/// The causes for which a stream of `Listen` goes on: a message of its client, news of its
/// listeners, new rules, a silence, the end of its credentials, the end of a build. Each waits here
/// in bounded number.
final class ListenWakes: Sendable {
  /// The causes since the last wake.
  struct Wake {
    var request: V1.ListenRequest?
    var hasNews = false
    var hasNewRules = false
    var isSilent = false
    /// Whether the credentials of the client are good no longer.
    var hasExpired = false
    /// The builds of indexes that have ended.
    var built: [WaitingTargets.Built] = []
    /// The end of the client's messages, or the error with which they ended.
    var end: Result<Void, any Error>?
  }

  private let pending = Mutex(Wake())
  private let (signals, signal) = AsyncStream.makeStream(
    of: Void.self, bufferingPolicy: .bufferingNewest(1))
  private let (takes, take) = AsyncStream.makeStream(
    of: Void.self, bufferingPolicy: .bufferingNewest(1))

  /// Puts a message, and returns when it was taken.
  func put(_ request: V1.ListenRequest) async {
    wake { $0.request = request }
    var takes = takes.makeAsyncIterator()
    _ = await takes.next()
  }

  func wake(_ change: (inout Wake) -> Void) {
    pending.withLock { change(&$0) }
    signal.yield()
  }

  /// Returns the causes that have come, once there is one.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  func next() async throws -> Wake {
    var signals = signals.makeAsyncIterator()
    guard await signals.next() != nil else { throw CancellationError() }
    let wake = pending.withLock { pending in
      defer { pending = Wake() }
      return pending
    }
    if wake.request != nil { take.yield() }
    return wake
  }
}
