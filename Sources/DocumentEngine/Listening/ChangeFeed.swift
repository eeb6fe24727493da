package import HearthDocumentModel
import HearthOrderedStore
package import HearthQueryPlanning
import Synchronization

/// Tells listeners how commits change the results of their queries. It is the only place where
/// commits and listeners meet.
///
/// The thread that writes only adds its commit to the log and calls `wake`. Another thread then
/// calls `step()`, which looks at everything that was committed since the last step, in one view of
/// the database. So all listeners stand at the same commit, every snapshot shows the database right
/// after one commit, and the commits in between merge by themselves.
package final class ChangeFeed: Sendable {
  private struct Inbox {
    var starting: [StartingListener] = []
    var leaving: [UInt64] = []
    var observers: [@Sendable (Result<ReadView, DatabaseError>) -> Void] = []
    var nextID: UInt64 = 1
    var isClosed = false
  }

  private let writer: CommitWriter
  private let listenerCount: ListenerCount
  private let wake: @Sendable (ChangeFeed) -> Void
  private let inbox = Lock(Inbox())
  /// Only `step()` touches it.
  private let table = Lock(ListenerTable())

  /// - Parameters:
  ///   - listenerCount: the number of listeners of all feeds, which this feed adjusts.
  ///   - wake: asks for a `step()`, soon and on another thread. It must not wait.
  init(
    _ writer: CommitWriter, _ listenerCount: ListenerCount,
    wake: @escaping @Sendable (ChangeFeed) -> Void
  ) {
    self.writer = writer
    self.listenerCount = listenerCount
    self.wake = wake
  }

  /// Listens to `query` from the next step on.
  ///
  /// - Parameters:
  ///   - isReversed: whether the query finds its results from the last to the first.
  ///   - notify: called when there may be an event to take, by the thread that steps or by the
  ///     thread that ends the listener. It must neither wait nor step.
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

  /// Returns a listener for a query that can't run. It is told `error`.
  package func refuse(
    with error: DatabaseError, notify: @escaping @Sendable (ListenerMailbox) -> Void
  ) -> ListenerMailbox {
    let mailbox = ListenerMailbox(id: 0, notify: notify)
    mailbox.fail(error)
    return mailbox
  }

  /// Ends a listener. Nothing can be taken from it any more.
  package func remove(_ mailbox: ListenerMailbox) {
    guard !isInherited else { return }
    mailbox.end()
    inbox.withLock { $0.leaving.append(mailbox.id) }
    wake(self)
  }

  /// Calls `body` once, when the next step has brought all listeners to one commit, those included
  /// that began before this call. Events that are taken from mailboxes inside of `body` are of that
  /// commit, so those of several listeners belong together.
  ///
  /// - Parameter body: called with a view of that commit, by the thread that steps; with the error
  ///   if the feed is closed or the store has failed, perhaps before this method returns. It must
  ///   neither wait nor step.
  package func afterStep(
    _ body: @escaping @Sendable (_ view: Result<ReadView, DatabaseError>) -> Void
  ) {
    guard !isInherited else { return body(.failure(DatabaseError(StoreError.forked))) }
    let isClosed = inbox.withLock { inbox in
      if !inbox.isClosed { inbox.observers.append(body) }
      return inbox.isClosed
    }
    if isClosed { body(.failure(.closed)) } else { wake(self) }
  }

  /// Ends all listeners, also those that wait for their first step. Later ones are refused.
  package func close() {
    guard !isInherited else { return }
    inbox.withLock { $0.isClosed = true }
    step()
  }

  /// Brings all listeners to the latest commit and starts the new ones.
  ///
  /// It reads the store and must not run on a cooperative thread. Threads take turns. In a forked
  /// process it does nothing.
  package func step() {
    guard !isInherited else { return }
    let (before, after, observers) = table.withLock { table in
      let before = table.statistics
      let inbox = inbox.withLock { inbox in
        defer { inbox = Inbox(nextID: inbox.nextID, isClosed: inbox.isClosed) }
        return inbox
      }
      for id in inbox.leaving { table.remove(id) }
      var view: Result<ReadView, DatabaseError>?
      if inbox.isClosed {
        for listener in inbox.starting { listener.mailbox.end() }
        table.endAll()
      } else {
        view = table.step(
          in: writer, starting: inbox.starting.filter { !$0.mailbox.hasEnded },
          isObserved: !inbox.observers.isEmpty
        ) { [weak self] in
          if let self { self.wake(self) }
        }
      }
      for observer in inbox.observers { observer(view ?? .failure(.closed)) }
      return (before, table.statistics, inbox.observers)
    }
    // What they hold is released here, after the lock and the view.
    _ = observers
    tellObserver(before, after)
  }

  private func tellObserver(_ before: FeedStatistics, _ after: FeedStatistics) {
    listenerCount.add(after.listenerCount - before.listenerCount)
    guard let observer = writer.publication.observer else { return }
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

  /// Whether the process was forked since the feed began, and so has none of its threads.
  package var isInherited: Bool { writer.publication.process.isInherited }

  /// The work of matching commits and listeners so far.
  package var statistics: FeedStatistics { table.withLock { $0.statistics } }
}

extension DatabaseError {
  fileprivate static let closed = DatabaseError(
    .failedPrecondition, "The database is closed.",
    cause: StoreError(.closed, "the database is closed"))
}

/// The number of listeners of all feeds of a database.
final class ListenerCount: Sendable {
  private let count = Atomic(0)

  var value: Int { count.load(ordering: .relaxed) }

  /// Adds `difference`, which may be negative.
  func add(_ difference: Int) { count.add(difference, ordering: .relaxed) }
}

/// A listener that waits for its first result.
struct StartingListener: Sendable {
  let query: StructuredQuery
  let isReversed: Bool
  let mailbox: ListenerMailbox
}

/// The work of matching commits with listeners.
package struct FeedStatistics: Sendable, Equatable {
  /// The present listeners, the results that they share (one for each query), and the key ranges
  /// that the results depend on.
  package var listenerCount = 0
  package var viewCount = 0
  package var rangeCount = 0
  /// Commits that were matched, and the documents that they changed. Each document counts once in a
  /// step.
  package var commitCount = 0
  package var changeCount = 0
  /// Keys of changed documents for which ranges were looked up.
  package var keyCount = 0
  /// Pairs of a change and a shared result that it was compared with.
  package var candidateCount = 0
  /// Documents that were matched against queries for that, and positions that were made for the
  /// queries' orders.
  package var matchCount = 0
  package var sortKeyCount = 0
  /// Shared results that were brought up to date, and listeners that were told of one.
  package var updateCount = 0
  package var postCount = 0
  /// Runs of queries, each query's first run included, and the entries and documents that they
  /// read.
  package var runCount = 0
  package var entriesRead = 0
  package var documentsRead = 0

  package init() {}
}
