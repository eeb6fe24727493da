package import DocumentModel
import OrderedStore
package import QueryPlanning

/// Tells listeners what commits make of their queries: the only place where the two meet.
///
/// The thread that writes only adds its commit to the log and calls `wake`. Some other thread then
/// calls `step()`, which looks at all that was committed since the last one, in one view of the
/// database. So every listener stands at the same commit, every snapshot is the database right
/// behind one, and what was committed in between collapses by itself.
package final class ChangeFeed: Sendable {
  private struct Inbox {
    var starting: [StartingListener] = []
    var leaving: [UInt64] = []
    var nextID: UInt64 = 1
    var isClosed = false
  }

  private let engine: Engine
  private let wake: @Sendable (ChangeFeed) -> Void
  private let inbox = Lock(Inbox())
  /// Touched by `step()` alone.
  private let table = Lock(ListenerTable())

  /// - Parameter wake: asks for a `step()`, soon and on another thread; it must not wait.
  package init(_ engine: Engine, wake: @escaping @Sendable (ChangeFeed) -> Void) {
    self.engine = engine
    self.wake = wake
  }

  /// Listens to `query` from the next step on.
  ///
  /// - Parameters:
  ///   - isReversed: whether the query finds its results from the last to the first.
  ///   - notify: is called when there may be something to take, by the thread that steps or by
  ///     whoever ends the listener. It must neither wait nor step.
  package func listen(
    to query: StructuredQuery, isReversed: Bool = false,
    notify: @escaping @Sendable (ListenerMailbox) -> Void
  ) -> ListenerMailbox {
    guard !isInherited else {
      return refuse(with: DatabaseError(StoreError.forked), notify: notify)
    }
    let isClosed: Bool
    let mailbox: ListenerMailbox
    (isClosed, mailbox) = inbox.withLock { inbox in
      let mailbox = ListenerMailbox(id: inbox.nextID, notify: notify)
      inbox.nextID += 1
      if !inbox.isClosed {
        inbox.starting.append(
          StartingListener(query: query, isReversed: isReversed, mailbox: mailbox))
      }
      return (inbox.isClosed, mailbox)
    }
    if isClosed { mailbox.fail(.closed) } else { wake(self) }
    return mailbox
  }

  /// A listener whose query can't run: it is told `error`.
  package func refuse(
    with error: DatabaseError, notify: @escaping @Sendable (ListenerMailbox) -> Void
  ) -> ListenerMailbox {
    let mailbox = ListenerMailbox(id: 0, notify: notify)
    mailbox.fail(error)
    return mailbox
  }

  /// Ends a listener; nothing can be taken any more.
  package func remove(_ mailbox: ListenerMailbox) {
    guard !isInherited else { return }
    mailbox.end()
    inbox.withLock { $0.leaving.append(mailbox.id) }
    wake(self)
  }

  /// Ends all listeners, also those that wait for their first step; later ones are refused.
  package func close() {
    guard !isInherited else { return }
    inbox.withLock { $0.isClosed = true }
    step()
  }

  /// Brings all listeners to the latest commit, and starts those that are new.
  ///
  /// It reads the store and must not run on a cooperative thread. Threads take turns. In a forked
  /// process nobody is told anything.
  package func step() {
    guard !isInherited else { return }
    let (before, after) = table.withLock { table in
      let before = table.statistics
      let (starting, leaving, isClosed) = inbox.withLock { inbox in
        defer {
          inbox.starting = []
          inbox.leaving = []
        }
        return (inbox.starting, inbox.leaving, inbox.isClosed)
      }
      for id in leaving { table.remove(id) }
      if isClosed {
        for listener in starting { listener.mailbox.end() }
        table.endAll()
      } else {
        table.step(in: engine, starting: starting.filter { !$0.mailbox.hasEnded }) { [weak self] in
          if let self { self.wake(self) }
        }
      }
      return (before, table.statistics)
    }
    tellObserver(before, after)
  }

  private func tellObserver(_ before: FeedStatistics, _ after: FeedStatistics) {
    engine.count(listeners: after.listenerCount - before.listenerCount)
    guard let observer = engine.observer else { return }
    if after.listenerCount != before.listenerCount {
      observer.observe(.listenersChanged(count: after.listenerCount))
    }
    if after.commitCount != before.commitCount {
      observer.observe(
        .listenersServed(
          commitCount: after.commitCount - before.commitCount,
          resultCount: after.postCount - before.postCount))
    }
  }

  /// Whether the process was forked since, and so has none of the feed's threads.
  package var isInherited: Bool { engine.process.isInherited }

  /// What matching commits and listeners took so far.
  package var statistics: FeedStatistics { table.withLock { $0.statistics } }
}

extension DatabaseError {
  fileprivate static let closed = DatabaseError(
    .failedPrecondition, "The database is closed.")
}

/// A listener that waits for its first result.
struct StartingListener: Sendable {
  let query: StructuredQuery
  let isReversed: Bool
  let mailbox: ListenerMailbox
}

/// What it took to match commits with listeners.
package struct FeedStatistics: Sendable, Equatable {
  /// Listeners that there are, the results that they share, one for each query, and the key ranges
  /// that these depend on.
  package var listenerCount = 0
  package var viewCount = 0
  package var rangeCount = 0
  /// Commits that were matched, and the documents that they changed, each once in a step.
  package var commitCount = 0
  package var changeCount = 0
  /// Keys of changed documents that ranges were looked up for.
  package var keyCount = 0
  /// Pairs of a change and a shared result that it was compared with.
  package var candidateCount = 0
  /// Documents that were held against queries for that, and positions that were made for their
  /// orders.
  package var matchCount = 0
  package var sortKeyCount = 0
  /// Shared results that were brought up to date, and listeners that were told of one.
  package var updateCount = 0
  package var postCount = 0
  /// Runs of queries, the first of each included, and what they read.
  package var runCount = 0
  package var entriesRead = 0
  package var documentsRead = 0

  package init() {}
}
