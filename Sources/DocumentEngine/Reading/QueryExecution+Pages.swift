package import DocumentModel
import QueryPlanning

// Many results at once. If there is one branch and its entries decide, the numbers of a page of
// results are read in one go, and their documents after that.
extension QueryExecution {
  private static let pageCount = 256

  /// Calls `body` with each of the remaining results in order, and confirms them.
  ///
  /// - Complexity: the entries up to the last result, each read once, and a document for each
  ///   result.
  /// - Throws: `dataLoss`; `deadlineExceeded`; errors of the store. Then the documents that `body`
  ///   got don't count.
  package func readDocuments(_ body: (FetchedDocument) -> Void) throws(DatabaseError) {
    guard let branch = plainBranch else {
      while let document = try nextDocument() { body(document) }
      return
    }
    try reportingErrors {
      var numbers: [UInt64] = []
      numbers.reserveCapacity(min(resultsLeft, QueryExecution.pageCount))
      branch.wantDocuments()
      guard try skipOffset(of: branch) else { return }
      guard !branch.isCovering else { return try readCovered(branch, body) }
      while resultsLeft > 0 {
        numbers.removeAll(keepingCapacity: true)
        let count = min(resultsLeft, QueryExecution.pageCount)
        try branch.readNumbers(count, into: &numbers, &deadline)
        resultsLeft -= numbers.count
        for number in numbers { body(FetchedDocument(try fetcher.document(number), shape)) }
        if numbers.count < count { resultsLeft = 0 }
      }
    }
    try checkReads()
  }

  /// Reads the results of a branch whose entries carry their documents, one after another.
  private func readCovered(_ branch: BranchEntries, _ body: (FetchedDocument) -> Void) throws {
    while resultsLeft > 0 {
      guard try branch.next(&deadline) else { return resultsLeft = 0 }
      resultsLeft -= 1
      let number = try branch.documentNumber()
      body(FetchedDocument(try fetcher.document(number, carriedBy: branch), shape))
    }
  }

  /// Returns the number of remaining results, which it skips and confirms.
  ///
  /// - Complexity: the entries up to the last result.
  /// - Throws: the same as `nextDocument()`.
  package func countResults() throws(DatabaseError) -> Int {
    var count = 0
    guard let branch = plainBranch else {
      while try nextEntry() { count += 1 }
      return count
    }
    try reportingErrors {
      guard try skipOffset(of: branch) else { return }
      count = try branch.skip(resultsLeft, &deadline)
      resultsLeft = 0
    }
    try checkReads()
    return count
  }

  /// The only branch of a query whose entries alone decide; `nil` for other queries. It must not
  /// have begun.
  private var plainBranch: BranchEntries? {
    guard branches.count == 1, match == nil, plan.nearest == nil, times == nil,
      !branches[0].mayRecheck
    else { return nil }
    return branches[0]
  }

  private func skipOffset(of branch: BranchEntries) throws -> Bool {
    guard plan.offset > 0 else { return resultsLeft > 0 }
    resultsSkipped = try branch.skip(plan.offset, &deadline)
    return resultsLeft > 0 && resultsSkipped == plan.offset
  }
}
