import HearthDocumentEngine
import HearthDocumentModel

/// The stream of one listener's snapshots, for one task at a time. The listener ends with the
/// stream.
final class SnapshotStream: Sendable {
  private let feed: ChangeFeed
  private let mailbox: ListenerMailbox
  /// A stream with an element each time the mailbox may hold something.
  private let signals: AsyncStream<Void>

  init(_ request: ListenerRequest) {
    let (signals, source) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    self.signals = signals
    feed = request.database.dispatcher.feed
    mailbox = request.start { _ in source.yield() }
  }

  deinit { feed.remove(mailbox) }

  /// Returns the next snapshot; `nil` once the task is cancelled or the database is closed.
  ///
  /// - Throws: the error that ended the listener, once.
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
