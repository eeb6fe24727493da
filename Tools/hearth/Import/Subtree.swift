import HearthAdminSocket
import Hearth

/// A collection with everything below its documents, or a whole database.
struct Subtree {
  /// The collection; `nil` for the whole database.
  let collection: ResourcePath?
  private let database: DatabaseID

  init(of collection: ResourcePath?, in database: DatabaseID) {
    self.collection = collection
    self.database = database
  }

  /// The query for all documents, each before those below it.
  ///
  /// It goes over every collection, between the least name of a document in the collection and the
  /// least one in the collection that would follow.
  var query: StructuredQuery {
    guard let collection, let id = collection.lastSegment else {
      return StructuredQuery(collectionID: "", allDescendants: true)
    }
    let parent = collection.parent
    let next = parent.appending(unchecked: id + "\0")
    return StructuredQuery(
      collectionID: "", below: parent, allDescendants: true,
      filter: .and([
        .field(.documentID, .greaterThanOrEqual, leastName(in: collection)),
        .field(.documentID, .lessThan, leastName(in: next)),
      ]))
  }

  /// The id of a number comes before all others, and the least number first (§2.3).
  private func leastName(in collection: ResourcePath) -> Value {
    .reference(
      DocumentName(
        unchecked: collection.appending(unchecked: "__id\(Int64.min)__"), in: database))
  }

  /// Whether there is a document.
  func hasDocuments(in session: AdminSession) throws -> Bool {
    var query = query
    query.limit = 1
    query.projection = []
    var isFound = false
    _ = try session.run(QueryCall(RunnableQuery(query))) { _ in isFound = true }
    return isFound
  }

  /// Returns the number of documents.
  ///
  /// - Parameter time: the moment to count at; `nil` for the present.
  func count(in session: AdminSession, at time: Timestamp? = nil) throws -> Int {
    try session.run(CountCall(RunnableQuery(query), at: time)).count
  }
}
