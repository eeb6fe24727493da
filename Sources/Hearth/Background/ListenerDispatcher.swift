import Dispatch
import HearthDocumentEngine

/// The threads of a database's listeners: one that processes commits, and one that calls closures.
final class ListenerDispatcher: Sendable {
  let feed: ChangeFeed
  /// Serial queue for closures without a queue of their own.
  let callbackQueue = DispatchQueue(label: "hearth.snapshots", qos: .userInitiated)

  init(_ engine: Engine) {
    let schedule = FeedSchedule()
    feed = ChangeFeed(engine) { schedule.requestStep(of: $0) }
  }
}

/// Steps a feed on a thread of its own when requested. One step answers all requests that come
/// before it begins.
private final class FeedSchedule: Sendable {
  private let queue = DispatchQueue(label: "hearth.feed", qos: .userInitiated)
  private let isRequested = Flag()

  func requestStep(of feed: ChangeFeed) {
    guard isRequested.raise() else { return }
    queue.async { [isRequested] in
      // The flag is lowered before the step, which might miss requests that arrive from now on.
      isRequested.lower()
      feed.step()
    }
  }
}
