package import DocumentModel
package import QueryPlanning
import StorageFormat

/// What a query did to get its answer.
package struct ExecutionStatistics: Sendable, Equatable {
  /// Index entries that cursors stood on.
  package var entriesRead = 0
  package var documentsRead = 0
  /// Jumps of cursors over index entries.
  package var seekCount = 0
  /// Results that the offset passed over.
  package var resultsSkipped = 0
  /// Documents that were compared with the filter, because their entries don't hold all of a value.
  package var recheckCount = 0

  package init(
    entriesRead: Int = 0, documentsRead: Int = 0, seekCount: Int = 0, resultsSkipped: Int = 0,
    recheckCount: Int = 0
  ) {
    self.entriesRead = entriesRead
    self.documentsRead = documentsRead
    self.seekCount = seekCount
    self.resultsSkipped = resultsSkipped
    self.recheckCount = recheckCount
  }
}

/// A running query: hands out its results one by one, and reads no more than that takes.
///
/// It sees the moment of the view that it came from. Used by one thread at a time.
package final class QueryExecution {
  package let plan: Plan
  private let matcher: QueryMatcher
  private let fetcher: DocumentFetcher
  private var deadline: Deadline
  private var join: IndexJoin
  private var resultsLeft: Int
  private var resultsSkipped = 0
  private let mayRecheck: Bool
  private var recheckCount = 0
  private var recheckedRecord: DocumentRecord?

  init(
    _ plan: Plan, _ cursors: [IndexCursor], matcher: QueryMatcher, fetcher: DocumentFetcher,
    deadline: Deadline
  ) {
    self.plan = plan
    self.matcher = matcher
    self.fetcher = fetcher
    self.deadline = deadline
    join = IndexJoin(cursors)
    resultsLeft = plan.limit ?? .max
    // Where no operand is cut, entries that are cut still stand on the right side of all of them.
    mayRecheck = cursors.contains { $0.scan.hasCutBound }
  }

  package var statistics: ExecutionStatistics {
    ExecutionStatistics(
      entriesRead: join.cursors.reduce(0) { $0 + $1.entriesRead },
      documentsRead: fetcher.documentsRead,
      seekCount: join.cursors.reduce(0) { $0 + $1.seekCount },
      resultsSkipped: resultsSkipped, recheckCount: recheckCount)
  }

  /// The next result, or `nil` at the end.
  ///
  /// Only the `nil` confirms that nothing was passed over before it; who stops earlier calls
  /// `checkReads()`.
  ///
  /// - Complexity: the entries up to it, each read once, and one document.
  /// - Throws: `dataLoss`, `deadlineExceeded`, or what the store reports.
  package func nextDocument() throws(DatabaseError) -> FetchedDocument? {
    try reportingErrors {
      guard let number = try nextConfirmedNumber() else { return nil }
      return FetchedDocument(try recheckedRecord ?? fetcher.document(number))
    }
  }

  /// Moves past the next result without reading its document; `false` at the end.
  ///
  /// - Complexity: the entries up to it.
  /// - Throws: as `nextDocument()`.
  package func skipDocument() throws(DatabaseError) -> Bool {
    try reportingErrors { try nextConfirmedNumber() != nil }
  }

  /// Confirms that nothing was passed over so far because it could not be read.
  ///
  /// - Throws: `dataLoss`, or what the store reports.
  package func checkReads() throws(DatabaseError) {
    try reportingErrors {
      for cursor in join.cursors { try cursor.checkReads() }
      try fetcher.checkReads()
    }
  }

  private func nextConfirmedNumber() throws -> UInt64? {
    let number = try nextNumber()
    if number == nil { try checkReads() }
    return number
  }

  /// The number of the next result's document.
  private func nextNumber() throws -> UInt64? {
    guard resultsLeft > 0 else { return nil }
    while resultsSkipped < plan.offset {
      guard try nextMatch() != nil else { return nil }
      resultsSkipped += 1
    }
    guard let number = try nextMatch() else { return nil }
    resultsLeft -= 1
    return number
  }

  private func nextMatch() throws -> UInt64? {
    while try join.next(&deadline) {
      recheckedRecord = nil
      let number = try join.cursors[0].readEntry().documentNumber
      guard try mayRecheck && isCut() else { return number }
      // The one recheck: the index holds a part of the value, the document all of it (§3.6).
      recheckCount += 1
      let record = try fetcher.document(number)
      if try matcher.matches(record.document()) {
        recheckedRecord = record
        return number
      }
    }
    return nil
  }

  private func isCut() throws -> Bool {
    try join.cursors.contains { try $0.readEntry().anyCut }
  }
}
