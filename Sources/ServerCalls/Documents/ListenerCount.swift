import Synchronization

/// The queries and documents to which the streams of a server listen together.
package final class ListenerCount: Sendable {
  private let limit: Int
  private let count = Mutex(0)

  /// - Parameter limit: the listeners that all streams may have.
  package init(limit: Int = 100_000) {
    self.limit = limit
  }

  /// One stream's part of the listeners. It gives them back at its end.
  final class Share {
    private let all: ListenerCount
    private var count = 0

    init(of all: ListenerCount) {
      self.all = all
    }

    deinit { _ = set(0) }

    /// The listeners that all streams may have.
    var limit: Int { all.limit }

    /// Sets the number of listeners that the stream has, or is about to have.
    ///
    /// - Returns: whether there is room for them. Otherwise the number stays. There always is for
    ///   fewer.
    func set(_ count: Int) -> Bool {
      let change = count - self.count
      let hasRoom = all.count.withLock { total in
        guard change <= 0 || total + change <= all.limit else { return false }
        total += change
        return true
      }
      if hasRoom { self.count = count }
      return hasRoom
    }
  }
}
