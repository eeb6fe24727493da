package import DocumentModel
import OrderedStore
package import QueryPlanning
import StorageFormat

/// A running query. It returns its results one by one, and reads no more than they need.
///
/// It sees the moment of the view that it was made with. Only one thread may use it at a time.
package final class QueryExecution {
  package var plan: Plan { query.plan }
  /// The times that the parts of the query took; `nil` if they aren't measured.
  @exclusivity(unchecked) package private(set) var times: ExecutionTimes?

  private let query: PlannedQuery
  /// The shape of the results; `nil` if they are whole documents.
  let shape: ResultShape?
  let fetcher: DocumentFetcher
  private let recorder: ReadRecorder?
  private let process: ForkMark
  @exclusivity(unchecked) var deadline: Deadline
  @exclusivity(unchecked) var resultsLeft: Int
  @exclusivity(unchecked) var resultsSkipped = 0
  private var recheckCount = 0

  /// The branches that can have results.
  let branches: [BranchEntries]
  /// The merge of the branches; `nil` if there is at most one branch.
  @exclusivity(unchecked) private var merge: BranchMerge?
  /// The branch whose entry is the current match.
  @exclusivity(unchecked) private(set) var match: BranchEntries?
  @exclusivity(unchecked) private var matchedRecord: DocumentRecord?

  /// The fields that are added up. A query for the nearest vectors keeps their numbers.
  private let aggregatedFields: [FieldPath]
  /// The nearest documents that weren't returned yet, the nearest last; `nil` before the search.
  private var neighbors: [Neighbor]?
  /// The current result of a query for the nearest vectors.
  @exclusivity(unchecked) private var neighbor: Neighbor?

  init(
    _ query: PlannedQuery, in view: ReadView, deadline: Deadline, planning: Duration?
  ) throws {
    self.query = query
    self.deadline = deadline
    shape = query.projection.map { ResultShape(Projection($0)) }
    aggregatedFields = query.aggregatedFields
    recorder = view.recorder
    process = view.process
    fetcher = DocumentFetcher(view, view.caches.documents)
    resultsLeft = query.plan.limit ?? .max
    branches = try BranchEntries.all(of: query, in: view)
    if branches.count > 1 { merge = BranchMerge(branches) }
    times = planning.map { ExecutionTimes(planning: $0) }
  }

  package var statistics: ExecutionStatistics {
    var scans = ScanStatistics()
    for branch in branches {
      for scan in branch.statistics { scans.add(scan) }
    }
    let hasVectors = if case nil = query.plan.nearest { false } else { true }
    var statistics = ExecutionStatistics(
      entriesRead: scans.entriesRead, entriesCached: scans.entriesCached,
      vectorEntriesRead: hasVectors ? scans.entriesRead : 0,
      documentsRead: fetcher.documentsRead, documentsCached: fetcher.documentsCached,
      documentBytesRead: fetcher.documentBytesRead,
      seekCount: scans.seekCount, testCount: scans.testCount,
      resultsSkipped: resultsSkipped, recheckCount: recheckCount)
    statistics.entriesPassed = scans.entriesPassed
    statistics.deletedEntriesPassed = scans.deletedEntriesPassed
    statistics.documentsCovered = fetcher.documentsCovered
    return statistics
  }

  /// The work of each scan of each of the plan's branches.
  package var scanStatistics: [[ScanStatistics]] {
    plan.branches.enumerated().map { index, branch in
      branches.first { $0.index == index }?.statistics ?? branch.scans.map { _ in ScanStatistics() }
    }
  }

  // MARK: Results

  /// Returns the next result; `nil` at the end.
  ///
  /// Only the `nil` confirms that no result was missed before it. A caller that stops earlier calls
  /// `checkReads()`.
  ///
  /// - Complexity: the entries up to the result, each read once, and one document.
  /// - Throws: `dataLoss`; `deadlineExceeded`; errors of the store.
  package func nextDocument() throws(DatabaseError) -> FetchedDocument? {
    if match == nil { for branch in branches { branch.wantDocuments() } }
    return try nextEntry() ? fetchDocument() : nil
  }

  /// Moves past the next result without reading its document; `false` at the end.
  ///
  /// - Complexity: the entries up to the result.
  /// - Throws: as `nextDocument()`.
  package func skipDocument() throws(DatabaseError) -> Bool { try nextEntry() }

  /// Moves to the entry of the next result; `false` at the end, which confirms all reads.
  ///
  /// - Complexity: the entries up to the result. It reads a document only if an entry lacks the
  ///   part of a value that decides (§3.6).
  /// - Throws: as `nextDocument()`.
  package func nextEntry() throws(DatabaseError) -> Bool {
    try process.check()
    return try reportingErrors {
      if try moveToResult() { return true }
      match = nil
      neighbor = nil
      try checkReads()
      return false
    }
  }

  /// Returns the number of the current result's document. Results of two executions in one view
  /// have the same number if they are the same document.
  package func documentNumber() throws(DatabaseError) -> UInt64 {
    try reportingErrors { try currentNumber() }
  }

  /// Returns a field of the current result. It comes from the entry if that holds all of it,
  /// otherwise from the document.
  ///
  /// - Returns: the value; `nil` if the document lacks the field.
  /// - Throws: as `nextDocument()`.
  package func value(of field: FieldPath) throws(DatabaseError) -> Value? {
    try reportingErrors {
      if neighbor == nil, let value = try currentMatch().value(of: field) { return value }
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
      if let neighbor, let index = aggregatedFields.firstIndex(of: field) {
        return neighbor.numbers[index]
      }
      let match = try currentMatch()
      if let value = try match.value(of: field) { return value }
      return match.holds(field) ? nil : try record().value(at: field)
    }
  }

  /// Returns the document of the current result, with the fields that the query asked for.
  ///
  /// - Throws: as `nextDocument()`.
  package func fetchDocument() throws(DatabaseError) -> FetchedDocument {
    try process.check()
    return try reportingErrors { FetchedDocument(try record(), shapeOfResult) }
  }

  /// Confirms that no result so far was missed because of a failed read.
  ///
  /// - Throws: `dataLoss`; errors of the store.
  package func checkReads() throws(DatabaseError) {
    try reportingErrors {
      for branch in branches { try branch.checkReads() }
      try fetcher.checkReads()
      try recorder?.record(appendReads)
    }
  }

  /// Adds the reads that the results so far depend on: the entries that the scans have passed, and
  /// the documents that were read.
  private func appendReads(to reads: inout ReadSet) throws {
    for branch in branches { try branch.appendReads(to: &reads) }
    if branches.isEmpty, case .collection(let path) = plan.source {
      // The collection may not exist yet. Its first document writes this key.
      reads.insert(StorageKey.collection(path))
    }
    for number in fetcher.numbersRead ?? [] { reads.insert(StorageKey.document(number)) }
  }

  // MARK: The current result

  private func currentMatch() throws -> BranchEntries {
    guard let match else {
      throw DatabaseError(.failedPrecondition, "The query stands on no result.")
    }
    return match
  }

  private func currentNumber() throws -> UInt64 {
    try neighbor?.documentNumber ?? currentMatch().documentNumber()
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
    if let neighbor { return try fetcher.document(neighbor.documentNumber) }
    let match = try currentMatch()
    let number = try match.documentNumber()
    guard match.isCovering else { return try fetcher.document(number) }
    return try fetcher.document(number, carriedBy: match)
  }

  private func moveToResult() throws -> Bool {
    if let nearest = plan.nearest { return try moveToNeighbor(nearest) }
    while resultsSkipped < plan.offset {
      guard try moveToMatch() else { return false }
      resultsSkipped += 1
    }
    guard resultsLeft > 0, try moveToMatch() else { return false }
    resultsLeft -= 1
    return true
  }

  // MARK: Nearest vectors

  private var shapeOfResult: ResultShape? {
    guard let neighbor, let name = plan.nearest?.distanceField else { return shape }
    return ResultShape(shape?.projection, distance: (name, neighbor.distance))
  }

  private func moveToNeighbor(_ nearest: NearestNeighbors) throws -> Bool {
    if neighbors == nil { neighbors = try search(nearest) }
    neighbor = neighbors?.popLast()
    matchedRecord = nil
    return neighbor != nil
  }

  /// Compares the vectors of all matches and returns the nearest (§4.10).
  private func search(_ nearest: NearestNeighbors) throws -> [Neighbor] {
    var heap = NeighborHeap(nearest)
    var vector = [Double](repeating: 0, count: nearest.vector.count)
    while try moveToMatch() {
      let match = try currentMatch()
      try match.readVector(into: &vector)
      let distance = try nearest.distance(to: vector)
      guard heap.mayKeep(distance) else { continue }
      heap.add(
        Neighbor(
          documentNumber: try match.documentNumber(), distance: distance, name: try match.name(),
          numbers: try aggregatedFields.map { try number(of: $0) }))
    }
    match = nil
    try checkReads()
    return heap.sorted().reversed()
  }

  // MARK: Matches

  private func moveToMatch() throws -> Bool {
    while try moveToTimedEntry() {
      matchedRecord = nil
      guard try isUndecided() else { return true }
      // This is the only recheck: the index holds a part of the value, the document all of it
      // (§3.6).
      recheckCount += 1
      if try isMatch(record().document()) { return true }
    }
    return false
  }

  private func isMatch(_ document: Document) throws -> Bool {
    let matcher = query.matcher
    return matcher.matches(document) && matcher.isBetweenCursors(document)
  }

  /// Moves to the next document that satisfies all conditions on entries.
  private func moveToEntry() throws -> Bool {
    guard merge != nil else {
      // The only branch stays the match.
      if match == nil { match = branches.first }
      return try match?.next(&deadline) ?? false
    }
    guard try merge?.next(&deadline) ?? false, let merge else { return false }
    // A branch whose entry decides the match is preferred, since one is enough.
    match = branches[merge.current[0]]
    for index in merge.current where try !branches[index].needsRecheck() {
      match = branches[index]
      break
    }
    return true
  }

  private func isUndecided() throws -> Bool { try match?.needsRecheck() ?? false }

  private func moveToTimedEntry() throws -> Bool {
    guard times != nil else { return try moveToEntry() }
    let start = ContinuousClock.now
    defer { times?.entries += ContinuousClock.now - start }
    return try moveToEntry()
  }
}
