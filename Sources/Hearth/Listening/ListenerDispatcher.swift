import Dispatch
import DocumentEngine

/// The threads of a database's listeners: one that looks at what was committed, and one that calls
/// closures.
final class ListenerDispatcher: Sendable {
  let feed: ChangeFeed
  /// Where closures are called that name no queue of their own: one after the other.
  let callbackQueue = DispatchQueue(label: "hearth.snapshots", qos: .userInitiated)

  init(_ engine: Engine) {
    let schedule = FeedSchedule()
    feed = ChangeFeed(engine) { schedule.requestStep(of: $0) }
  }
}

extension Database {
  /// Brings all listeners to the latest commit before it returns, for tests and for who listens on
  /// the thread that writes.
  package func settleListeners() { dispatcher.feed.step() }

  /// How many listeners there are.
  package var listenerCount: Int {
    settleListeners()
    return dispatcher.feed.statistics.listenerCount
  }
}

/// Steps a feed on a thread of its own, as often as it is asked to, but once for all requests that
/// come before a step begins.
private final class FeedSchedule: Sendable {
  private let queue = DispatchQueue(label: "hearth.feed", qos: .userInitiated)
  private let isRequested = Flag()

  func requestStep(of feed: ChangeFeed) {
    guard isRequested.raise() else { return }
    queue.async { [isRequested] in
      // Before the step, which might miss what comes from now on.
      isRequested.lower()
      feed.step()
    }
  }
}
