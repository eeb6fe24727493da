import DocumentEngine
import DocumentModel

/// Waits for what one listener is told, for one task at a time; the listener ends with it.
final class SnapshotStream: Sendable {
  private let feed: ChangeFeed
  private let mailbox: ListenerMailbox
  /// Has an element whenever something may lie in the mailbox.
  private let signals: AsyncStream<Void>

  init(_ request: ListenerRequest) {
    let (signals, source) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    self.signals = signals
    feed = request.database.dispatcher.feed
    mailbox = request.start { _ in source.yield() }
  }

  deinit { feed.remove(mailbox) }

  /// The next snapshot; `nil` once the task is cancelled, or the database closed.
  ///
  /// - Throws: what ended the listener, once.
  func next() async throws(DatabaseError) -> ListenerSnapshot? {
    while !Task.isCancelled {
      switch mailbox.take() {
      case .snapshot(let snapshot)?: return snapshot
      case .failure(let error)?: throw error
      case .end?: return nil
      case nil: break
      }
      // Cancelling the task ends the wait.
      var signal = signals.makeAsyncIterator()
      _ = await signal.next(isolation: nil)
    }
    feed.remove(mailbox)
    return nil
  }
}
