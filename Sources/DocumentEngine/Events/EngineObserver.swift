package import DocumentModel

/// Is told what happens inside the engine, where no caller sees it.
///
/// It is called on the thread that did the work, while others may wait for that thread: it returns
/// at once, and calls nothing of the engine. Without an observer the engine makes no events and
/// reads no clock for them.
package protocol EngineObserver: Sendable {
  func observe(_ event: EngineEvent)
}

/// What the engine tells an observer.
package enum EngineEvent: Sendable {
  /// A group of commits was written or refused; its requests are answered.
  case groupCommitted(GroupCommit)
  /// The past that is kept has changed.
  case historyChanged(momentCount: Int, byteCount: Int)
  /// Some more documents have the entries of a new index.
  case indexBuildProgressed(collectionGroup: String, documentCount: Int, BuildProgress)
  /// A build is at its end, whoever has waited for it or nobody.
  case indexBuildEnded(collectionGroup: String, BuildStatus)
  /// A transaction's attempt to commit was in vain, since something that it read has changed.
  case transactionConflicted(DatabaseError)
  /// The clock was set ahead by more than an hour: commits follow it only if it stays there.
  case clockSetAhead(Duration)
  /// Commit times run ahead of the clock by so much, since they ascend: told once.
  case commitTimesLead(Duration)
  /// A listener began or ended; `count` are there now.
  case listenersChanged(count: Int)
  /// Some commits were matched with the listeners, of whose results so many became others.
  case listenersServed(commitCount: Int, resultCount: Int)
}
