package import Hearth
package import HearthDocumentModel
import HearthQueryPlanning

/// A listener of a user, whose results are judged before the user sees them. One task at a time may
/// use it.
package final class JudgedListener {
  private enum Source {
    case query(Query)
    case document(DocumentReference)
  }

  private let source: Source
  private let user: ListeningUser
  private let database: Database
  private let listeners: ListenerSet
  /// The listener of the source; `nil` before its beginning.
  private var own: ListenerSet.ID?
  /// The documents on which the judgement depends. There is one owner.
  private var watched: WatchedDocuments<Int>
  private var isOver = false

  package convenience init(_ query: Query, for user: ListeningUser) {
    self.init(.query(query), user)
  }

  package convenience init(_ document: DocumentReference, for user: ListeningUser) {
    self.init(.document(document), user)
  }

  private init(_ source: Source, _ user: ListeningUser) {
    self.source = source
    self.user = user
    database = user.database
    listeners = ListenerSet(in: database) { user.announce() }
    watched = WatchedDocuments(in: listeners, of: database)
  }

  /// Returns the next result; `nil` once the task is cancelled or the database is closed.
  ///
  /// - Throws: `permissionDenied` when the user may not listen, or no longer; the error that ended
  ///   the listener. Nothing comes after an error.
  package func next(
    isolation actor: isolated (any Actor)? = #isolation
  ) async throws(DatabaseError) -> QuerySnapshot? {
    do throws(DatabaseError) {
      try await begin()
      while !Task.isCancelled, !isOver {
        if let result = try await news() { return result }
        // Cancelling the task ends the wait.
        var signal = user.signals.makeAsyncIterator()
        if !isOver { _ = await signal.next(isolation: actor) }
      }
    } catch {
      end()
      guard error.isOfClosedDatabase else { throw error }
    }
    end()
    return nil
  }

  private func begin(
    isolation actor: isolated (any Actor)? = #isolation
  ) async throws(DatabaseError) {
    guard own == nil, !isOver else { return }
    switch source {
    case .query(let query):
      try database.check(query.structuredQuery.parent, in: query.database, for: .user)
      // A query that isn't allowed is not run, so that no error tells of its indexes.
      let (judge, database) = (user.judge, database)
      try await Blocking.run { () throws(DatabaseError) in
        try judge.check(query.runnable(), in: database.snapshot())
      }
      own = listeners.add(query)
    case .document(let reference):
      try database.check(reference.path, in: reference.database, for: .user)
      own = listeners.add(reference)
    }
  }

  /// Returns the result that has come; `nil` for none.
  private func news(
    isolation actor: isolated (any Actor)? = #isolation
  ) async throws(DatabaseError) -> QuerySnapshot? {
    let hasNewUser = user.takeNews()
    guard listeners.hasNews || hasNewUser else { return nil }
    let moment = try await listeners.moment()
    var result: QuerySnapshot?
    guard !moment.events.isEmpty || hasNewUser else { return nil }
    for (listener, event) in moment.events {
      switch event {
      case .failure(let error): throw error
      case .result(let new): if listener == own { result = new }
      }
    }
    let snapshot = moment.database
    let (judge, source) = (user.judge, source)
    let read = try await Blocking.run { () throws(DatabaseError) in
      var judgement = judge.judgement(in: snapshot)
      switch source {
      case .query(let query): try judgement.list(query.runnable())
      case .document(let reference): try judgement.get(snapshot.getDocument(reference))
      }
      try judgement.check()
      return judgement.documentsRead
    }
    watched.watch(read, for: 0)
    return result
  }

  private func end() {
    isOver = true
    if let own { listeners.remove(own) }
    watched.remove(0)
  }
}
