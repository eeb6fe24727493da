package import HearthDocumentModel
import HearthQueryPlanning

// Many results at once. If the entries decide, the numbers of a page of results are read in one go,
// and their documents after that.
extension QueryExecution {
  private static let pageCount = 256

  /// Calls `body` with each of the remaining results in order until it returns `false`. Another
  /// call goes on behind the last of them; the other calls don't, as entries may have been read
  /// ahead. The query is finished once there are no further results.
  ///
  /// - Parameter isStoppable: whether `body` may want few of the results. Then no more entries are
  ///   read ahead than were read before.
  /// - Returns: whether there may be further results.
  /// - Complexity: the entries up to the last result, each read once, and a document for each
  ///   result.
  /// - Throws: `dataLoss`; `deadlineExceeded`; errors of the store. Then the documents that `body`
  ///   got don't count.
  @discardableResult
  package func readDocuments(
    isStoppable: Bool = false, _ body: (consuming FetchedDocument) -> Bool
  ) throws(DatabaseError) -> Bool {
    isFetching = true
    let isStopped: Bool
    if let entries = try plainEntries() {
      isStopped = try reportingErrors {
        try readPages(of: entries, growing: isStoppable, body)
      }
    } else {
      isStopped = try readOneByOne(body)
    }
    guard isStopped, resultsLeft > 0 || !numbersAhead.isEmpty else {
      try finish()
      return false
    }
    try reportingErrors { try confirm() }
    return true
  }

  /// - Returns: whether `body` took no more.
  private func readOneByOne(
    _ body: (consuming FetchedDocument) -> Bool
  ) throws(DatabaseError) -> Bool {
    while let document = try nextDocument() {
      guard body(document) else { return true }
    }
    return false
  }

  /// - Returns: whether `body` took no more.
  private func readPages(
    of entries: any EntryCursor, growing: Bool, _ body: (consuming FetchedDocument) -> Bool
  ) throws -> Bool {
    guard try !numbersAhead.isEmpty || skipOffset(of: entries) else { return false }
    // Only the entry on which the cursor stands can give its document. And a transaction depends on
    // no entry behind the last result that is taken.
    let isCarried = carriesDocuments
    let isOneByOne = isCarried || (growing && isRecorded)
    let largest = isOneByOne ? 1 : min(resultsLeft, QueryExecution.pageCount)
    var pageCount = growing ? 1 : largest
    var numbers = numbersAhead
    numbersAhead = []
    if kept == nil { numbers.reserveCapacity(pageCount) }
    let shape = resultShape
    var takesMore = true
    while takesMore, resultsLeft > 0 || !numbers.isEmpty {
      if numbers.isEmpty {
        try view.process.check()
        let count = min(resultsLeft, pageCount)
        pageCount = min(2 * pageCount, largest)
        try entries.readNumbers(count, into: &numbers, &deadline)
        resultsLeft = numbers.count < count ? 0 : resultsLeft - count
        if isGathering { gather(numbers) }
      }
      let takenCount: Int
      (takenCount, takesMore) = try fetcher.readDocuments(
        numbers, as: shape, carriedBy: isCarried ? entries : nil, body)
      if takenCount < numbers.count {
        numbers.removeFirst(takenCount)
      } else {
        // The next page takes the same memory. At the end none is kept, which may be shared.
        numbers.removeAll(keepingCapacity: resultsLeft > 0)
      }
    }
    numbersAhead = numbers
    return !takesMore
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
      count = try passRest(of: entries)
      resultsLeft = 0
    }
    try finish()
    return count
  }

  /// Passes the remaining results, and returns their number.
  private func passRest(of entries: any EntryCursor) throws -> Int {
    guard isGathering else { return try entries.skip(resultsLeft, &deadline) }
    // One more than is kept, so that a longer result is known as such.
    var numbers: [UInt64] = []
    try entries.readNumbers(
      min(resultsLeft, KeptResult.countLimit + 1), into: &numbers, &deadline)
    gather(numbers)
    guard numbers.count > KeptResult.countLimit else { return numbers.count }
    return numbers.count + (try entries.skip(resultsLeft - numbers.count, &deadline))
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
    if resultsSkipped < plan.offset {
      resultsSkipped += try entries.skip(plan.offset - resultsSkipped, &deadline)
    }
    return resultsLeft > 0 && resultsSkipped == plan.offset
  }
}
