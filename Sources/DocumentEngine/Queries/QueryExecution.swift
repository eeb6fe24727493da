package import HearthDocumentModel
import HearthOrderedStore
package import HearthQueryPlanning
import HearthStorageFormat

/// A running query. It returns its results one by one, and reads no more than they need.
///
/// It sees the moment of the view that it was made with. Only one thread may use it at a time.
package final class QueryExecution {
  package var plan: Plan { query.plan }
  /// The times that the parts of the query took; `nil` if they aren't measured.
  @exclusivity(unchecked) package private(set) var times: ExecutionTimes?

  private let query: PlannedQuery
  let view: ReadView
  /// The result that the cache has of the query; `nil` if it has none.
  let kept: KeptResult?
  /// The place for the query's result, if it is to be kept; otherwise `nil`.
  private let resultKey: ResultKey?
  /// The numbers of the results so far; `nil` if they are not to be kept.
  @exclusivity(unchecked) private var gathered: [UInt64]?
  /// Whether some entries carry their documents.
  @exclusivity(unchecked) private(set) var carriesDocuments = false
  /// Whether there is no collection that could have results.
  @exclusivity(unchecked) private var lacksCollection = false
  /// The shape of the results; `nil` if they are whole documents.
  let resultShape: ResultShape?
  let fetcher: DocumentFetcher
  /// Numbers of the next results' documents, which were read ahead.
  @exclusivity(unchecked) var numbersAhead: [UInt64] = []
  @exclusivity(unchecked) var deadline: Deadline
  @exclusivity(unchecked) var resultsLeft: Int
  @exclusivity(unchecked) var resultsSkipped: Int
  private var recheckCount = 0

  /// The entries that the plan finds; `nil` before they are opened.
  @exclusivity(unchecked) private var entries: (any EntryCursor)?
  @exclusivity(unchecked) private var mayRecheck = false
  /// Whether documents are read, too.
  @exclusivity(unchecked) var isFetching = false
  /// Whether the entries stand on the current match.
  @exclusivity(unchecked) private(set) var isOnMatch = false
  @exclusivity(unchecked) private var matchedRecord: DocumentRecord?
  /// The results of a query for the nearest vectors; `nil` before the search.
  @exclusivity(unchecked) private var neighbors: NearestResults?

  /// - Parameters:
  ///   - resultKey: the place for the query's result, if it is to be kept.
  ///   - kept: the result of the query, if it is kept.
  init(
    _ query: PlannedQuery, in view: ReadView, deadline: Deadline, planning: Duration? = nil,
    keepingAt resultKey: ResultKey? = nil, kept: KeptResult? = nil
  ) {
    self.query = query
    self.view = view
    self.deadline = deadline
    self.resultKey = resultKey
    self.kept = kept
    gathered = resultKey == nil ? nil : []
    resultShape = query.projection.map { ResultShape(Projection($0)) }
    fetcher = DocumentFetcher(view, view.caches.documents)
    resultsLeft = query.plan.limit ?? .max
    resultsSkipped = kept?.skippedCount ?? 0
    times = planning.map { ExecutionTimes(planning: $0) }
  }

  private var recorder: ReadRecorder? { view.recorder }

  /// Whether a transaction depends on what is read.
  var isRecorded: Bool { recorder != nil }

  package var statistics: ExecutionStatistics {
    var scans = ScanStatistics()
    entries?.forEachWork { scans.add($1) }
    var statistics = ExecutionStatistics(
      entriesRead: scans.entriesRead, documentsRead: fetcher.documentsRead,
      seekCount: scans.seekCount)
    statistics.entriesCached = scans.entriesCached
    statistics.entriesPassed = scans.entriesPassed
    statistics.deletedEntriesPassed = scans.deletedEntriesPassed
    statistics.testCount = scans.testCount
    if case .some = plan.nearest { statistics.vectorEntriesRead = scans.entriesRead }
    statistics.documentsCached = fetcher.documentsCached
    statistics.documentsCovered = fetcher.documentsCovered
    statistics.documentBytesRead = fetcher.documentBytesRead
    statistics.resultsSkipped = resultsSkipped
    statistics.recheckCount = recheckCount
    return statistics
  }

  /// The work of each scan of each of the plan's branches.
  package var scanStatistics: [[ScanStatistics]] {
    var statistics = plan.branches.map { $0.scans.map { _ in ScanStatistics() } }
    entries?.forEachWork { statistics[$0.branch][$0.scan].add($1) }
    return statistics
  }

  // MARK: Results

  /// Returns the next result; `nil` at the end.
  ///
  /// Only the `nil` confirms that no result was missed before it. A caller that stops earlier calls
  /// `finish()`.
  ///
  /// - Complexity: the entries up to the result, each read once, and one document.
  /// - Throws: `dataLoss`; `deadlineExceeded`; errors of the store.
  package func nextDocument() throws(DatabaseError) -> FetchedDocument? {
    isFetching = true
    return try nextEntry() ? fetchDocument() : nil
  }

  /// Moves past the next result without reading its document; `false` at the end.
  ///
  /// - Complexity: the entries up to the result.
  /// - Throws: as `nextDocument()`.
  package func skipDocument() throws(DatabaseError) -> Bool { try nextEntry() }

  /// Moves to the entry of the next result; `false` at the end, which finishes the query.
  ///
  /// - Complexity: the entries up to the result. It reads a document only if an entry lacks the
  ///   part of a value that decides (§3.6).
  /// - Throws: as `nextDocument()`.
  package func nextEntry() throws(DatabaseError) -> Bool {
    try view.process.check()
    if try reportingErrors({ try moveToResult() }) { return true }
    isOnMatch = false
    resultsLeft = 0
    try finish()
    return false
  }

  /// Returns the number of the current result's document. Results of two executions in one view
  /// have the same number if they are the same document.
  package func documentNumber() throws(DatabaseError) -> UInt64 {
    try reportingErrors {
      try neighbors?.documentNumber ?? currentEntry().documentNumber()
    }
  }

  /// Returns a field of the current result. It comes from the entry if that holds all of it,
  /// otherwise from the document.
  ///
  /// - Returns: the value; `nil` if the document lacks the field.
  /// - Throws: as `nextDocument()`.
  package func value(of field: FieldPath) throws(DatabaseError) -> Value? {
    try reportingErrors {
      if case nil = plan.nearest, let value = try currentEntry().value(of: field).value {
        return value
      }
      return try record().value(at: field)
    }
  }

  /// Returns the number in a field that is added up; `nil` if the current result has anything else
  /// there. A value that an entry holds only in part is not a number, so no document is read for
  /// it.
  ///
  /// - Throws: as `nextDocument()`.
  func number(of field: FieldPath) throws(DatabaseError) -> Value? {
    try reportingErrors {
      if case nil = plan.nearest { return try matchedNumber(of: field) }
      return neighbors?.number(of: field)
    }
  }

  /// Returns the document of the current result, with the fields that the query asked for.
  ///
  /// - Throws: as `nextDocument()`.
  package func fetchDocument() throws(DatabaseError) -> FetchedDocument {
    try view.process.check()
    return try reportingErrors { FetchedDocument(try record(), shapeOfResult) }
  }

  private var shapeOfResult: ResultShape? {
    guard let distance = neighbors?.distance else { return resultShape }
    return ResultShape(resultShape?.projection, distance: distance)
  }

  // MARK: The end

  /// Ends the query: confirms that no result so far was missed because of a failed read, and lends
  /// the caches what the query has cost.
  ///
  /// - Throws: `dataLoss`; errors of the store.
  package func finish() throws(DatabaseError) {
    try reportingErrors { try confirm() }
    entries?.finish()
    keepResult()
  }

  /// Whether the results are to be kept.
  var isGathering: Bool { gathered != nil }

  /// Takes the numbers of the next results, to keep them. Results of too many documents are not
  /// kept.
  func gather(_ numbers: [UInt64]) {
    guard let count = gathered?.count else { return }
    if count + numbers.count <= KeptResult.countLimit {
      gathered?.append(contentsOf: numbers)
    } else {
      gathered = nil
    }
  }

  /// Keeps the result, if all of it was found in kept scans.
  private func keepResult() {
    guard resultsLeft == 0, let resultKey, let numbers = gathered.take(), let entries,
      let stamps = entries.stamps
    else { return }
    let result = KeptResult(
      numbers, of: query, skipping: resultsSkipped, in: entries, stamps, view)
    view.caches.results?.insert(result, resultKey.valueHash)
  }

  /// Confirms that no result so far was missed because of a failed read.
  func confirm() throws {
    try view.process.check()
    try entries?.checkReads()
    try fetcher.checkReads()
    try recorder?.record(appendReads)
  }

  /// Adds the reads that the results so far depend on: the entries that the scans have passed, and
  /// the documents that were read.
  private func appendReads(to reads: inout ReadSet) throws {
    try openedEntries()?.appendReads(to: &reads)
    if lacksCollection, case .collection(let path) = plan.source {
      // The collection may not exist yet. Its first document writes this key.
      reads.insert(StorageKey.collection(path))
    }
    for number in fetcher.numbersRead ?? [] { reads.insert(StorageKey.document(number)) }
  }

  // MARK: The current result

  private func currentEntry() throws -> any EntryCursor {
    guard isOnMatch, let entries else {
      throw DatabaseError(.failedPrecondition, "The query stands on no result.")
    }
    return entries
  }

  private func matchedNumber(of field: FieldPath) throws -> Value? {
    let column = try currentEntry().value(of: field)
    return column.isHeld ? column.value : try record().value(at: field)
  }

  /// Returns the current result's document, which is read once.
  private func record() throws -> DocumentRecord {
    if let matchedRecord { return matchedRecord }
    let start = times.map { _ in ContinuousClock.now }
    let record = try readRecord()
    if let start { times?.documents += ContinuousClock.now - start }
    matchedRecord = record
    return record
  }

  private func readRecord() throws -> DocumentRecord {
    if let number = neighbors?.documentNumber { return try fetcher.document(number) }
    let entry = try currentEntry()
    return try fetcher.document(
      entry.documentNumber(), carriedBy: carriesDocuments ? entry : nil)
  }

  private func moveToResult() throws -> Bool {
    if let nearest = plan.nearest { return try moveToNeighbor(nearest) }
    while resultsSkipped < plan.offset {
      guard try moveToMatch() else { return false }
      resultsSkipped += 1
    }
    guard resultsLeft > 0, try moveToMatch() else { return false }
    resultsLeft -= 1
    if isGathering { gather([try currentEntry().documentNumber()]) }
    return true
  }

  private func moveToNeighbor(_ nearest: NearestNeighbors) throws -> Bool {
    if neighbors == nil {
      neighbors = try NearestResults(
        nearest, summing: query.aggregatedFields,
        nextMatch: { try moveToMatch() ? currentEntry().vectorEntry : nil }, number: matchedNumber)
      isOnMatch = false
      try confirm()
    }
    matchedRecord = nil
    return neighbors?.next() ?? false
  }

  // MARK: Matches

  private func moveToMatch() throws -> Bool {
    guard let entries = try openedEntries() else { return false }
    while try move(entries) {
      matchedRecord = nil
      isOnMatch = true
      guard mayRecheck, try entries.needsRecheck() else { return true }
      // This is the only recheck: the index holds a part of the value, the document all of it
      // (§3.6).
      recheckCount += 1
      if try isMatch(record().document()) { return true }
    }
    return false
  }

  /// Returns the entries that the plan finds, opened at the first call; `nil` if there can't be
  /// any.
  func openedEntries() throws -> (any EntryCursor)? {
    if let entries { return entries }
    if let kept {
      entries = KeptEntries(kept)
    } else if !lacksCollection {
      let builder = try CursorBuilder(query, in: view)
      lacksCollection = builder.isEmpty
      carriesDocuments = builder.carriesDocuments
      entries = try builder.makeCursor(fetching: isFetching)
      mayRecheck = entries?.mayRecheck ?? false
      if entries?.stamps == nil || carriesDocuments { gathered = nil }
    }
    return entries
  }

  private func move(_ entries: any EntryCursor) throws -> Bool {
    guard times != nil else { return try entries.next(&deadline) }
    let start = ContinuousClock.now
    defer { times?.entries += ContinuousClock.now - start }
    return try entries.next(&deadline)
  }

  private func isMatch(_ document: Document) throws -> Bool {
    query.matcher.matches(document) && query.matcher.isBetweenCursors(document)
  }
}

extension ReadView {
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
  /// - Parameters:
  ///   - fields: the fields whose numbers are added up, sorted.
  ///   - isMeasured: whether the execution measures the times of its parts. Then nothing is taken
  ///     from the results of earlier queries.
  /// - Throws: as `plan(_:)`; errors of the store.
  package func run(
    _ query: StructuredQuery, aggregating fields: [FieldPath] = [],
    deadline: ContinuousClock.Instant? = nil, isMeasured: Bool = false
  ) throws(DatabaseError) -> QueryExecution {
    try process.check()
    // A closure could not hand on the query, only copies.
    do {
      let key = isMeasured || !fields.isEmpty ? nil : resultKey(of: query)
      if let key, let kept = keptResult(of: query, at: key) {
        count(kept.query)
        return QueryExecution(kept.query, in: self, deadline: Deadline(deadline), kept: kept)
      }
      let start = isMeasured ? ContinuousClock.now : nil
      let planned = try planned(query, aggregating: fields, ofShape: key?.shape)
      let execution = QueryExecution(
        planned, in: self, deadline: Deadline(deadline),
        planning: start.map { ContinuousClock.now - $0 }, keepingAt: keptAgain(key))
      count(planned)
      return execution
    } catch {
      throw DatabaseError(reporting: error)
    }
  }

  /// Returns whether `query` has a result. It counts as no use of the query's indexes, and nothing
  /// records what it reads.
  ///
  /// - Throws: as `run`.
  package func hasResult(
    _ query: StructuredQuery, deadline: ContinuousClock.Instant? = nil
  ) throws(DatabaseError) -> Bool {
    try runUncounted(query, deadline: deadline).nextEntry()
  }

  /// Starts `query`, which counts as no use of its indexes. Nothing records what it reads.
  func runUncounted(
    _ query: StructuredQuery, deadline: ContinuousClock.Instant?
  ) throws(DatabaseError) -> QueryExecution {
    try process.check()
    return try reportingErrors {
      QueryExecution(
        try planned(query), in: unrecorded(), deadline: Deadline(deadline))
    }
  }

  /// Counts a query that begins, for each index that serves it.
  func count(_ query: PlannedQuery) {
    usage.countQuery(query.prepared?.counters ?? usage.counters(of: query.plan))
  }
}
