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
  let caches: EngineCaches
  let usage: IndexUsage
  /// The state that the last commit of the view left.
  let state: StateRecord
  private let cursors: CursorPool
  /// Who takes down what is read of documents and by queries.
  let recorder: ReadRecorder?
  /// Of the process that the view was taken in.
  let process: ForkMark

  /// - Parameter state: that of the snapshot.
  init(
    _ snapshot: any StoreSnapshot, _ state: StateRecord, catalog: Catalog, caches: EngineCaches,
    usage: IndexUsage
  ) {
    self.snapshot = snapshot
    self.state = state
    self.catalog = catalog
    self.caches = caches
    self.usage = usage
    cursors = CursorPool(snapshot)
    recorder = nil
    process = ForkMark()
  }

  private init(_ view: ReadView, recorder: ReadRecorder) {
    snapshot = view.snapshot
    state = view.state
    catalog = view.catalog
    caches = view.caches
    usage = view.usage
    cursors = view.cursors
    self.recorder = recorder
    process = view.process
  }

  /// The same moment, with what is read of it taken down by `recorder`.
  func recording(to recorder: ReadRecorder) -> ReadView {
    ReadView(self, recorder: recorder)
  }

  package var databaseID: DatabaseID { catalog.databaseID }
  /// The number of the last commit that the view has; 0 for a database without any.
  package var commitNumber: UInt64 { state.commitNumber }
  /// The number that the next document gets: all that are there have smaller ones.
  var nextDocumentNumber: UInt64 { state.nextDocumentNumber }
  /// The time of the last commit that the view has; the year 1 for a database without any.
  package var readTime: Timestamp { state.lastCommitTime }

  // MARK: Cursors

  /// A cursor over the view's keys, standing anywhere; to be given back.
  func takeCursor() throws(StoreError) -> any StoreCursor { try cursors.take() }

  /// Keeps a cursor for whoever is next to need one.
  func giveBack(_ cursor: any StoreCursor) { cursors.giveBack(cursor) }

  /// Lets cursors be kept between two reads, until `retire()`.
  func keepCursors() { cursors.open() }

  /// Releases the cursors that are kept: the view is no longer what most will read.
  func retire() { cursors.close() }

  // MARK: Documents

  /// The document at `path`, or `nil`.
  ///
  /// - Complexity: two point reads.
  /// - Throws: `dataLoss`, or what the store reports.
  package func document(at path: ResourcePath) throws(DatabaseError) -> FetchedDocument? {
    try process.check()
    return try reportingErrors {
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
    try caches.collections.number(of: path, in: snapshot)
  }

  // MARK: Queries

  /// How `query` runs with the indexes of this moment: planned anew, also where a plan is kept for
  /// queries of its shape.
  ///
  /// - Throws: `invalidArgument`, or `failedPrecondition` with the missing index (§6.1).
  package func plan(_ query: StructuredQuery) throws(DatabaseError) -> Plan {
    try planned(NormalizedQuery(query, in: databaseID)).plan
  }

  /// How `aggregation` runs with the indexes of this moment.
  ///
  /// - Throws: as for a query.
  package func plan(_ aggregation: AggregationQuery) throws(DatabaseError) -> Plan {
    try planned(NormalizedAggregation(aggregation, in: databaseID).query).plan
  }

  /// Starts `query`.
  ///
  /// - Parameter isMeasured: whether the execution tells where its time went.
  /// - Throws: as `plan(_:)`, and what the store reports.
  package func run(
    _ query: StructuredQuery, deadline: ContinuousClock.Instant? = nil, isMeasured: Bool = false
  ) throws(DatabaseError) -> QueryExecution {
    try run(
      query, aggregating: [], deadline: deadline,
      plannedSince: isMeasured ? ContinuousClock.now : nil)
  }

  /// Starts `query` for the sake of the numbers in `fields`, which are sorted.
  ///
  /// - Parameter plannedSince: when planning began, for an execution that tells where its time
  ///   went.
  func run(
    _ query: StructuredQuery, aggregating fields: [FieldPath],
    deadline: ContinuousClock.Instant?, plannedSince start: ContinuousClock.Instant?
  ) throws(DatabaseError) -> QueryExecution {
    try process.check()
    return try reportingErrors {
      let query = try planned(query, aggregating: fields)
      let execution = try QueryExecution(
        query, in: self, deadline: Deadline(deadline),
        planning: start.map { ContinuousClock.now - $0 })
      count(query)
      return execution
    }
  }

  /// Counts a query that begins for the indexes that serve it.
  func count(_ query: PlannedQuery) {
    usage.countQuery(query.prepared?.counters ?? usage.counters(of: query.plan))
  }
}
