import HearthDocumentEngine

extension Database {
  /// Brings all listeners to the latest commit before it returns, for tests and for code that
  /// listens on the thread that writes.
  package func settleListeners() { dispatcher.feed.step() }

  /// Number of listeners.
  package var listenerCount: Int {
    settleListeners()
    return dispatcher.feed.statistics.listenerCount
  }
}
