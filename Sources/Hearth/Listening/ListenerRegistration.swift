import Dispatch
import DocumentEngine
import DocumentModel

/// A closure that listens, to be stopped.
///
/// It listens until it is removed, an error ends it, or the database is closed, also if nobody
/// holds the registration; for as long, it keeps the database open.
public final class ListenerRegistration: Sendable {
  private let feed: ChangeFeed
  private let mailbox: ListenerMailbox
  private let isRemoved: Flag

  /// Calls `listener` with each snapshot, one at a time, on one queue.
  init<Snapshot: Sendable>(
    _ request: ListenerRequest, on queue: DispatchQueue?,
    _ snapshot: @escaping @Sendable (ListenerSnapshot) -> Snapshot,
    _ listener: @escaping @Sendable (Result<Snapshot, DatabaseError>) -> Void
  ) {
    let isRemoved = Flag()
    feed = request.database.dispatcher.feed
    let callback = SnapshotCallback(
      queue: queue ?? request.database.dispatcher.callbackQueue, feed: feed,
      isRemoved: isRemoved, snapshot: snapshot, listener: listener)
    self.isRemoved = isRemoved
    mailbox = request.start { callback.schedule($0) }
  }

  /// Ends the listener, and lets go of its closure. It may be called again, and from inside of the
  /// closure.
  ///
  /// No call begins after it returns if the listener is removed on the queue that it is called on;
  /// a call that another thread is in, or about to make, is not waited for and may still come.
  public func remove() {
    isRemoved.raise()
    feed.remove(mailbox)
  }
}

/// Hands what lies in a mailbox to a closure.
private struct SnapshotCallback<Snapshot: Sendable>: Sendable {
  let queue: DispatchQueue
  let feed: ChangeFeed
  let isRemoved: Flag
  /// Whether a call waits on the queue.
  let isScheduled = Flag()
  let snapshot: @Sendable (ListenerSnapshot) -> Snapshot
  let listener: @Sendable (Result<Snapshot, DatabaseError>) -> Void

  func schedule(_ mailbox: ListenerMailbox) {
    // In a forked process there are no queues; what is told there is an error.
    guard !feed.isInherited else { return call(from: mailbox) }
    // One call at a time waits, however many commits come while the queue is busy.
    guard isScheduled.raise() else { return }
    queue.async {
      // Before the look into the mailbox, which might miss what comes from now on.
      isScheduled.lower()
      call(from: mailbox)
    }
  }

  private func call(from mailbox: ListenerMailbox) {
    guard !isRemoved.isRaised else { return }
    switch mailbox.take() {
    case .snapshot(let next)?: listener(.success(snapshot(next)))
    case .failure(let error)?: listener(.failure(error))
    case .end?, nil: return
    }
    // Others on the queue come first.
    schedule(mailbox)
  }
}
