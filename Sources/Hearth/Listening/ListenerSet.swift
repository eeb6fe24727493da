import HearthDocumentEngine
package import HearthDocumentModel
import Synchronization

/// Listeners of one database that are asked together, so that all their news are of one commit.
///
/// Between two calls of ``moment()`` the news of each listener merge: the set holds the latest
/// result of each, and no queue.
package final class ListenerSet: Sendable {
  /// A listener of a set.
  package struct ID: Hashable, Comparable, Sendable {
    private let number: Int

    fileprivate init(_ number: Int) { self.number = number }

    package static func < (left: ID, right: ID) -> Bool { left.number < right.number }
  }

  private struct State {
    var mailboxes: [ID: ListenerMailbox] = [:]
    /// The listeners that may have news.
    var announced: Set<ID> = []
    var count = 0
  }

  private let database: Database
  private let state = Mutex(State())
  private let notify: @Sendable () -> Void

  /// - Parameter notify: called whenever there may be news, on any thread, also during `add`. It
  ///   must not wait.
  package init(in database: Database, notify: @escaping @Sendable () -> Void) {
    self.database = database
    self.notify = notify
  }

  deinit { state.withLock { $0.mailboxes.values.forEach(database.dispatcher.feed.remove) } }

  /// Listens to a query of the set's database. Its first result comes with the next moment.
  package func add(_ query: Query) -> ID { add(ListenerRequest(query)) }

  /// Listens to a document of the set's database, whose results have it or are empty. The first one
  /// comes with the next moment.
  package func add(_ document: DocumentReference) -> ID { add(ListenerRequest(document)) }

  private func add(_ request: ListenerRequest) -> ID {
    let id = state.withLock { state in
      state.count += 1
      return ID(state.count)
    }
    let mailbox = request.start { [weak self] _ in self?.announce(id) }
    // It may have failed, or have a result, before it was known.
    state.withLock { state in
      state.mailboxes[id] = mailbox
      state.announced.insert(id)
    }
    notify()
    return id
  }

  private func announce(_ id: ID) {
    let isNews = state.withLock { state in
      state.mailboxes[id] != nil && state.announced.insert(id).inserted
    }
    if isNews { notify() }
  }

  /// Ends a listener, whose news are dropped.
  package func remove(_ id: ID) {
    let mailbox = state.withLock { state in
      state.announced.remove(id)
      return state.mailboxes.removeValue(forKey: id)
    }
    if let mailbox { database.dispatcher.feed.remove(mailbox) }
  }

  // MARK: Moments

  /// News of one listener.
  package enum Event: Sendable {
    /// A result, with the changes since the one before.
    case result(QuerySnapshot)
    /// The error that ended the listener.
    case failure(DatabaseError)
  }

  /// A commit at which all listeners of the set stand.
  package struct Moment: Sendable {
    /// The database right after the commit.
    package let database: DatabaseSnapshot
    /// The news since the moment before, at most one for each listener, in the order in which they
    /// were added.
    package let events: [(listener: ID, event: Event)]
  }

  /// Whether there may be news.
  package var hasNews: Bool { state.withLock { !$0.announced.isEmpty } }

  /// Brings all listeners to the latest commit, and returns their news. Listeners that were added
  /// before the call have a result by then, or an error.
  ///
  /// - Complexity: the listeners with news, and their changes.
  /// - Throws: `failedPrecondition` if the database is closed; the store's error.
  package func moment() async throws(DatabaseError) -> Moment {
    let outcome = await withCheckedContinuation { continuation in
      database.dispatcher.feed.afterStep { [self] view in
        continuation.resume(returning: view.map { moment(in: $0) })
      }
    }
    return try outcome.get()
  }

  private func moment(in view: ReadView) -> Moment {
    let announced = state.withLock { state in
      defer { state.announced = [] }
      return state.announced.sorted().compactMap { id in
        state.mailboxes[id].map { (id: id, mailbox: $0) }
      }
    }
    let events = announced.compactMap { id, mailbox -> (listener: ID, event: Event)? in
      switch mailbox.take() {
      case .snapshot(let snapshot)?: (id, .result(snapshot.querySnapshot(in: database)))
      case .failure(let error)?: (id, .failure(error))
      case .end?, nil: nil
      }
    }
    return Moment(
      database: DatabaseSnapshot(view, at: view.readTime, in: database), events: events)
  }
}

extension Database {
  /// Returns the present time. All commits up to it are visible, and all later ones get a later
  /// time. It may wait for a commit that is on its way.
  ///
  /// - Throws: `invalidArgument` if the clock is set back meanwhile.
  package func presentTime() throws(DatabaseError) -> Timestamp { try engine.presentTime() }
}
