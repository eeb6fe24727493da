package import DocumentModel
import OrderedStore
package import QueryPlanning
import StorageFormat

/// The database at one moment: documents, indexes and catalogue of one store snapshot.
///
/// It holds the store's snapshot until it is released, which keeps superseded data on disk.
package final class ReadView: Sendable {
  package let catalog: Catalog
  let snapshot: any StoreSnapshot
  private let collections: CollectionNumbers

  init(_ snapshot: any StoreSnapshot, catalog: Catalog, collections: CollectionNumbers) {
    self.snapshot = snapshot
    self.catalog = catalog
    self.collections = collections
  }

  package var databaseID: DatabaseID { catalog.databaseID }

  // MARK: Documents

  /// The document at `path`, or `nil`.
  ///
  /// - Complexity: two point reads.
  /// - Throws: `dataLoss`, or what the store reports.
  package func document(at path: ResourcePath) throws(DatabaseError) -> FetchedDocument? {
    try reportingErrors {
      try StoredDocuments(self).located(path).map { FetchedDocument($0.record) }
    }
  }

  func collectionNumber(of path: ResourcePath) throws -> UInt64? {
    try collections.number(of: path, in: snapshot)
  }

  // MARK: Queries

  /// How `query` runs with the indexes of this moment.
  ///
  /// - Throws: `invalidArgument`, or `failedPrecondition` with the missing index (§6.1).
  package func plan(_ query: StructuredQuery) throws(DatabaseError) -> Plan {
    try Planner.plan(
      NormalizedQuery(query, in: databaseID), indexes: catalog.indexes)
  }

  /// Starts `query`.
  ///
  /// - Throws: as `plan(_:)`, and what the store reports.
  package func run(
    _ query: StructuredQuery, deadline: ContinuousClock.Instant? = nil
  ) throws(DatabaseError) -> QueryExecution {
    let normalized = try NormalizedQuery(query, in: databaseID)
    let plan = try Planner.plan(normalized, indexes: catalog.indexes)
    return try reportingErrors {
      QueryExecution(
        plan, try cursors(of: plan), matcher: QueryMatcher(normalized),
        fetcher: DocumentFetcher(snapshot, own: databaseID), deadline: Deadline(deadline))
    }
  }

  private func cursors(of plan: Plan) throws -> [IndexCursor] {
    var number: UInt64?
    if case .collection(let path) = plan.source {
      number = try collectionNumber(of: path)
      // A collection that no document was ever written to has no entries at all.
      if number == nil { return [] }
    }
    let encoder = ValueEncoder(own: databaseID)
    return try plan.scans.map { scan in
      try IndexCursor(
        ScanBytes(scan, of: plan, collectionNumber: number, encoder: encoder), in: snapshot)
    }
  }
}
