import Dispatch
import HearthDocumentEngine
import HearthDocumentModel
import HearthQueryPlanning

/// A query or document to listen to.
struct ListenerRequest: Sendable {
  let database: Database
  private let query: Result<StructuredQuery, DatabaseError>
  /// Whether the query runs backwards.
  private let isReversed: Bool

  init(_ query: Query) {
    database = query.database
    isReversed = query.lastCount != nil
    self.query = Result { () throws(DatabaseError) in try query.runnable() }
  }

  /// Creates the request for a document, which is a query for its name.
  init(_ document: DocumentReference) {
    database = document.database
    isReversed = false
    query = Result { () throws(DatabaseError) in
      StructuredQuery(
        collectionID: document.parent.id, below: document.parent.path.parent,
        filter: .field(.documentID, .equal, .reference(try document.name())))
    }
  }

  /// Begins to listen.
  func start(
    notify: @escaping @Sendable (ListenerMailbox) -> Void
  ) -> ListenerMailbox {
    let feed = database.dispatcher.feed
    return switch query {
    case .success(let query): feed.listen(to: query, isReversed: isReversed, notify: notify)
    case .failure(let error): feed.refuse(with: error, notify: notify)
    }
  }
}
