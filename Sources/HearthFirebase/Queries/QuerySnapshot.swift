import Hearth

/// The results of a query, in its order, as they were at one moment.
public final class QuerySnapshot: Sendable {
  /// The query that was asked.
  public let query: Query
  /// The results.
  public let documents: [QueryDocumentSnapshot]
  /// Neither cached nor pending.
  public let metadata = SnapshotMetadata()

  let stored: Hearth.QuerySnapshot

  init(_ stored: Hearth.QuerySnapshot, of query: Query) {
    self.query = query
    self.stored = stored
    documents = stored.documents.map { QueryDocumentSnapshot($0, in: query.firestore) }
  }

  /// Number of results.
  public var count: Int { documents.count }
  /// Whether there are none.
  public var isEmpty: Bool { documents.isEmpty }
}
