package import DocumentModel
package import OrderedStore
package import QueryPlanning
package import StorageFormat

/// A view of the database at one moment: documents, indexes and catalogue of one store snapshot.
///
/// It holds the store's snapshot until it is released, which keeps superseded data on disk.
package final class ReadView: Sendable {
  package let catalog: Catalog
  package let snapshot: any StoreSnapshot
  let caches: EngineCaches
  let usage: IndexUsage
  /// The state after the last commit that the view has.
  package let state: StateRecord
  private let cursors: CursorPool
  /// The recorder of the documents and keys that are read; `nil` if nothing records them.
  let recorder: ReadRecorder?
  /// The mark of the process in which the view was taken.
  let process: ForkMark

  /// - Parameter state: the state record of the snapshot.
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

  /// Returns a view of the same moment whose reads are recorded by `recorder`.
  func recording(to recorder: ReadRecorder) -> ReadView {
    ReadView(self, recorder: recorder)
  }

  package var databaseID: DatabaseID { catalog.databaseID }
  /// The number of the last commit that the view has; 0 for a database without any.
  package var commitNumber: UInt64 { state.commitNumber }
  /// The number that the next document gets. All existing documents have smaller ones.
  package var nextDocumentNumber: UInt64 { state.nextDocumentNumber }
  /// The id that the next index or kept counts get.
  package var nextIndexID: UInt64 { state.nextIndexID }
  /// The time of the last commit that the view has; the year 1 for a database without any.
  package var readTime: Timestamp { state.lastCommitTime }

  // MARK: Cursors

  /// Returns a cursor over the view's keys, at any position. The caller must give it back.
  func takeCursor() throws(StoreError) -> any StoreCursor { try cursors.take() }

  /// Keeps a cursor for the next read that needs one.
  func giveBack(_ cursor: any StoreCursor) { cursors.giveBack(cursor) }

  /// Allows cursors to be kept between two reads, until `retire()`.
  func keepCursors() { cursors.open() }

  /// Releases the kept cursors, since most reads will now use a newer view.
  func retire() { cursors.close() }

  // MARK: Documents

  /// Returns the document at `path`; `nil` if there is none.
  ///
  /// - Complexity: two point reads.
  /// - Throws: `dataLoss`; errors of the store.
  package func document(at path: ResourcePath) throws(DatabaseError) -> FetchedDocument? {
    try process.check()
    return try reportingErrors {
      let located = try StoredDocuments(self).located(path)
      try recorder?.record(path, located?.number, in: self)
      return located.map { FetchedDocument($0.record) }
    }
  }

  /// Returns the documents at `paths`, with `nil` for those that don't exist. Every path comes
  /// once, in the order of the first occurrences (§7.5).
  ///
  /// - Complexity: two point reads per document.
  /// - Throws: `dataLoss`; errors of the store.
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

  package func collectionNumber(of path: ResourcePath) throws -> UInt64? {
    try caches.collections.number(of: path, in: snapshot)
  }

  // MARK: Queries

  /// Returns the plan of `query` with the indexes of this moment. It is planned anew, even if a
  /// plan is kept for queries of its shape.
  ///
  /// - Throws: `invalidArgument`, or `failedPrecondition` with the missing index (§6.1).
  package func plan(_ query: StructuredQuery) throws(DatabaseError) -> Plan {
    try planned(NormalizedQuery(query, in: databaseID)).plan
  }

  /// Returns the plan of `aggregation` with the indexes of this moment.
  ///
  /// - Throws: as for a query.
  package func plan(_ aggregation: AggregationQuery) throws(DatabaseError) -> Plan {
    try planned(NormalizedAggregation(aggregation, in: databaseID).query).plan
  }

  /// Starts `query`.
  ///
  /// - Parameter isMeasured: whether the execution measures the times of its parts.
  /// - Throws: as `plan(_:)`; errors of the store.
  package func run(
    _ query: StructuredQuery, deadline: ContinuousClock.Instant? = nil, isMeasured: Bool = false
  ) throws(DatabaseError) -> QueryExecution {
    try run(
      query, aggregating: [], deadline: deadline,
      plannedSince: isMeasured ? ContinuousClock.now : nil)
  }

  /// Starts `query` for an aggregation of the numbers in `fields`, which are sorted.
  ///
  /// - Parameter plannedSince: the time at which planning began, if the execution measures the
  ///   times of its parts; otherwise `nil`.
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

  /// Counts a query that begins, for each index that serves it.
  func count(_ query: PlannedQuery) {
    usage.countQuery(query.prepared?.counters ?? usage.counters(of: query.plan))
  }
}
