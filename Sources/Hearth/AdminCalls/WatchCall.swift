package import HearthAdminSocket
import Dispatch
import HearthDocumentEngine
package import HearthDocumentModel
package import HearthFirestoreJSON
import HearthQueryPlanning

/// Listens to a query. The first item holds its results, and each later item the changes. The call
/// ends when the client leaves or the database is closed.
package struct WatchCall: DatabaseCall {
  package typealias Item = WatchedResults
  package static let name = "watch"

  /// Time without a change after which an item without changes is sent, to find out whether the
  /// client still listens.
  private static let patience = DispatchTimeInterval.seconds(5)

  private let query: RunnableQuery

  package init(_ query: RunnableQuery) {
    self.query = query
  }

  package func perform(
    on database: Database, _ send: (WatchedResults) throws -> Void
  ) throws -> AdminNothing {
    let arrived = DispatchSemaphore(value: 0)
    let feed = database.dispatcher.feed
    let mailbox = feed.listen(to: query.query, isReversed: query.isReversed) { _ in
      arrived.signal()
    }
    defer { feed.remove(mailbox) }
    let id = try database.id()
    while true {
      switch mailbox.take() {
      case .snapshot(let snapshot)?:
        try send(WatchedResults(snapshot.querySnapshot(in: database), in: id))
      case .failure(let error)?: throw error
      case .end?: return AdminNothing()
      case nil:
        guard arrived.wait(timeout: .now() + WatchCall.patience) == .timedOut else { continue }
        try send(.unchanged)
      }
    }
  }
}

/// Changes in the results of a watched query.
package struct WatchedResults: Codable, Sendable {
  /// Change of one document, and its place in the list.
  package struct Change: Codable, Sendable {
    package enum Kind: String, Codable, Sendable {
      case added, modified, removed
    }

    package let kind: Kind
    package let document: DocumentMessage
    package let oldIndex: Int?
    package let newIndex: Int?
  }

  /// Time of the snapshot; `nil` if nothing has changed.
  package let readTime: Timestamp?
  package let count: Int
  package let changes: [Change]

  static let unchanged = WatchedResults(readTime: nil, count: 0, changes: [])

  private init(readTime: Timestamp?, count: Int, changes: [Change]) {
    self.readTime = readTime
    self.count = count
    self.changes = changes
  }

  /// - Throws: `dataLoss` if a document's stored bytes are damaged.
  package init(_ snapshot: QuerySnapshot, in id: DatabaseID) throws(DatabaseError) {
    var changes: [Change] = []
    for change in snapshot.documentChanges {
      changes.append(
        Change(
          kind: Change.Kind(change.kind), document: try DocumentMessage(change.document, in: id),
          oldIndex: change.oldIndex, newIndex: change.newIndex))
    }
    self.init(readTime: snapshot.readTime, count: snapshot.count, changes: changes)
  }
}

extension WatchedResults.Change.Kind {
  init(_ kind: DocumentChange.Kind) {
    self =
      switch kind {
      case .added: .added
      case .modified: .modified
      case .removed: .removed
      }
  }
}
