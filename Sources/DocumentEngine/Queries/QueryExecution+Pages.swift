package import HearthDocumentModel
import HearthQueryPlanning

// Many results at once. If the entries decide, the numbers of a page of results are read in one go,
// and their documents after that.
extension QueryExecution {
  private static let pageCount = 256

  /// Calls `body` with each of the remaining results in order, and finishes the query.
  ///
  /// - Complexity: the entries up to the last result, each read once, and a document for each
  ///   result.
  /// - Throws: `dataLoss`; `deadlineExceeded`; errors of the store. Then the documents that `body`
  ///   got don't count.
  package func readDocuments(
    _ body: (consuming FetchedDocument) -> Void
  ) throws(DatabaseError) {
    isFetching = true
    guard let entries = try plainEntries() else {
      while let document = try nextDocument() { body(document) }
      return
    }
    try reportingErrors { try readPages(of: entries, body) }
    try finish()
  }

  private func readPages(
    of entries: any EntryCursor, _ body: (consuming FetchedDocument) -> Void
  ) throws {
    guard try skipOffset(of: entries) else { return }
    // Only the entry on which the cursor stands can give its document.
    let isCarried = builder.carriesDocuments
    let pageCount = isCarried ? 1 : min(resultsLeft, QueryExecution.pageCount)
    var numbers: [UInt64] = []
    numbers.reserveCapacity(pageCount)
    while resultsLeft > 0 {
      numbers.removeAll(keepingCapacity: true)
      let count = min(resultsLeft, pageCount)
      try entries.readNumbers(count, into: &numbers, &deadline)
      resultsLeft = numbers.count < count ? 0 : resultsLeft - count
      try fetcher.readDocuments(numbers, carriedBy: isCarried ? entries : nil) {
        body(FetchedDocument($0, resultShape))
      }
    }
  }

  /// Returns the number of remaining results, which it skips, and finishes the query.
  ///
  /// - Complexity: the entries up to the last result.
  /// - Throws: the same as `nextDocument()`.
  package func countResults() throws(DatabaseError) -> Int {
    var count = 0
    guard let entries = try plainEntries() else {
      while try nextEntry() { count += 1 }
      return count
    }
    try reportingErrors {
      guard try skipOffset(of: entries) else { return }
      count = try entries.skip(resultsLeft, &deadline)
      resultsLeft = 0
    }
    try finish()
    return count
  }

  /// Returns the entries of a query that hasn't begun, if they alone decide; otherwise `nil`.
  private func plainEntries() throws(DatabaseError) -> (any EntryCursor)? {
    guard !isOnMatch, plan.nearest == nil, times == nil else { return nil }
    return try reportingErrors {
      guard let entries = try openedEntries(), !entries.mayRecheck else { return nil }
      return entries
    }
  }

  private func skipOffset(of entries: any EntryCursor) throws -> Bool {
    guard plan.offset > 0 else { return resultsLeft > 0 }
    resultsSkipped = try entries.skip(plan.offset, &deadline)
    return resultsLeft > 0 && resultsSkipped == plan.offset
  }
}
