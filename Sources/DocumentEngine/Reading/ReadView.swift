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
  /// Who takes down what is read of documents and by queries.
  let recorder: ReadRecorder?

  init(
    _ snapshot: any StoreSnapshot, catalog: Catalog, collections: CollectionNumbers,
    recorder: ReadRecorder? = nil
  ) {
    self.snapshot = snapshot
    self.catalog = catalog
    self.collections = collections
    self.recorder = recorder
  }

  /// The same moment, with what is read of it taken down by `recorder`.
  func recording(to recorder: ReadRecorder) -> ReadView {
    ReadView(snapshot, catalog: catalog, collections: collections, recorder: recorder)
  }

  package var databaseID: DatabaseID { catalog.databaseID }

  // MARK: Documents

  /// The document at `path`, or `nil`.
  ///
  /// - Complexity: two point reads.
  /// - Throws: `dataLoss`, or what the store reports.
  package func document(at path: ResourcePath) throws(DatabaseError) -> FetchedDocument? {
    try reportingErrors {
      let located = try StoredDocuments(self).located(path)
      try recorder?.record(path, located?.number, in: self)
      return located.map { FetchedDocument($0.record) }
    }
  }

  /// The documents at `paths`, each with `nil` where there is none: every path once, in the order
  /// in which they first stand there (§7.5).
  ///
  /// - Complexity: two point reads per document.
  /// - Throws: `dataLoss`, or what the store reports.
  package func documents(
    at paths: [ResourcePath]
  ) throws(DatabaseError) -> [(path: ResourcePath, record: FetchedDocument?)] {
    var seen: Set<ResourcePath> = []
    var documents: [(path: ResourcePath, record: FetchedDocument?)] = []
    for path in paths where seen.insert(path).inserted {
      documents.append((path, try document(at: path)))
    }
    return documents
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

  /// How `aggregation` runs with the indexes of this moment.
  ///
  /// - Throws: as for a query.
  package func plan(_ aggregation: AggregationQuery) throws(DatabaseError) -> Plan {
    try Planner.plan(
      NormalizedAggregation(aggregation, in: databaseID).query, indexes: catalog.indexes)
  }

  /// Starts `query`.
  ///
  /// - Parameter isMeasured: whether the execution tells where its time went.
  /// - Throws: as `plan(_:)`, and what the store reports.
  package func run(
    _ query: StructuredQuery, deadline: ContinuousClock.Instant? = nil, isMeasured: Bool = false
  ) throws(DatabaseError) -> QueryExecution {
    let start = isMeasured ? ContinuousClock.now : nil
    return try run(
      NormalizedQuery(query, in: databaseID), deadline: deadline, plannedSince: start)
  }

  /// Starts `query`, which is valid.
  ///
  /// - Parameter plannedSince: when planning began, for an execution that tells where its time
  ///   went.
  /// - Throws: as `plan(_:)`, and what the store reports.
  package func run(
    _ query: NormalizedQuery, deadline: ContinuousClock.Instant? = nil,
    plannedSince start: ContinuousClock.Instant? = nil
  ) throws(DatabaseError) -> QueryExecution {
    let plan = try Planner.plan(query, indexes: catalog.indexes)
    return try reportingErrors {
      try QueryExecution(
        query, plan, in: self, deadline: Deadline(deadline),
        planning: start.map { ContinuousClock.now - $0 })
    }
  }
}
