package import HearthDocumentModel

/// An observer of events inside the engine, which no caller sees.
///
/// It is called on the thread that did the work, while others may wait for that thread. So it must
/// return at once and call nothing of the engine. Without an observer the engine makes no events
/// and reads no clock for them.
package protocol EngineObserver: Sendable {
  func observe(_ event: EngineEvent)
}

/// An event that the engine tells an observer.
package enum EngineEvent: Sendable {
  /// A group of commits was written or refused, and its requests were answered.
  case groupCommitted(CommitTiming)
  /// The history that is kept has changed.
  case historyChanged(momentCount: Int, byteCount: Int)
  /// A transaction failed to commit, since something that it read has changed.
  case transactionConflicted(DatabaseError)
  /// The clock was set ahead by more than an hour. Commits follow it only if it stays there.
  case clockSetAhead(Duration)
  /// Commit times lead the clock by this duration, since they always ascend. Reported once.
  case commitTimesLead(Duration)
  /// A listener began or ended; `count` listeners are left.
  case listenersChanged(count: Int)
  /// Some commits were matched with the listeners, and `resultCount` of their results changed.
  case listenersServed(commitCount: Int, resultCount: Int)
}
