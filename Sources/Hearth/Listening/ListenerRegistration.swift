import Dispatch
import HearthDocumentEngine
import HearthDocumentModel

/// The registration of a listening closure, which can stop it.
///
/// The closure listens until it is removed, an error ends it, or the database is closed, even if
/// the registration is released. Until then it keeps the database open.
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

  /// Ends the listener, and releases its closure. The method may be called again, and from inside
  /// the closure.
  ///
  /// If it is called on the listener's queue, no call begins after it returns. On other threads, it
  /// doesn't wait for a call that has begun or is about to begin, which may still come.
  public func remove() {
    isRemoved.raise()
    feed.remove(mailbox)
  }
}

/// Calls a closure with the contents of a mailbox.
private struct SnapshotCallback<Snapshot: Sendable>: Sendable {
  let queue: DispatchQueue
  let feed: ChangeFeed
  let isRemoved: Flag
  /// Whether a call waits on the queue.
  let isScheduled = Flag()
  let snapshot: @Sendable (ListenerSnapshot) -> Snapshot
  let listener: @Sendable (Result<Snapshot, DatabaseError>) -> Void

  func schedule(_ mailbox: ListenerMailbox) {
    // A forked process has no queues; the only call there is that of an error.
    guard !feed.isInherited else { return call(from: mailbox) }
    // At most one call waits, even if many commits come while the queue is busy.
    guard isScheduled.raise() else { return }
    queue.async {
      // The flag is lowered before the mailbox is read, which might miss items that arrive from now
      // on.
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
    // Other work on the queue comes first.
    schedule(mailbox)
  }
}
