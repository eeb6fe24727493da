import Hearth

/// The results of a query at one moment, in its order.
public final class QuerySnapshot: Sendable {
  /// The query that found the results.
  public let query: Query
  /// The results.
  public let documents: [QueryDocumentSnapshot]
  /// Metadata of the snapshot, which is never cached or pending.
  public let metadata = SnapshotMetadata()

  let stored: Hearth.QuerySnapshot

  init(_ stored: Hearth.QuerySnapshot, of query: Query) {
    self.query = query
    self.stored = stored
    documents = stored.documents.map { QueryDocumentSnapshot($0, in: query.firestore) }
  }

  /// Number of results.
  public var count: Int { documents.count }
  /// Whether there are no results.
  public var isEmpty: Bool { documents.isEmpty }
}
