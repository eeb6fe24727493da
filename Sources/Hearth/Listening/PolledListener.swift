import HearthDocumentEngine
package import HearthDocumentModel

/// A listener that is polled, for code that writes and listens on one thread, as the command line
/// does.
package final class PolledListener: Sendable {
  private let database: Database
  private let mailbox: ListenerMailbox

  /// Listens to `query` from the first call of `next()` on.
  package init(_ query: Query) {
    database = query.database
    mailbox = ListenerRequest(query).start { _ in }
  }

  deinit { database.dispatcher.feed.remove(mailbox) }

  /// Returns the results after all commits so far; `nil` if they haven't changed.
  ///
  /// - Throws: the error that ended the listener.
  package func next() throws(DatabaseError) -> QuerySnapshot? {
    database.settleListeners()
    switch mailbox.take() {
    case .snapshot(let snapshot)?: return snapshot.querySnapshot(in: database)
    case .failure(let error)?: throw error
    case .end?, nil: return nil
    }
  }
}
