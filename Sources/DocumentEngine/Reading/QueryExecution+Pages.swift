package import DocumentModel
import QueryPlanning

// Many results at once. Where one branch finds them, and entries decide, the numbers of a page of
// results are found in one go, and their documents are read then.
extension QueryExecution {
  private static let pageCount = 256

  /// Calls `body` with each of the results that are left, in order, and confirms them.
  ///
  /// - Complexity: the entries up to the last result, each read once, and a document each.
  /// - Throws: `dataLoss`, `deadlineExceeded`, or what the store reports. Nothing that `body` was
  ///   given counts then.
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

  /// The results of a branch whose entries carry their documents, one after another.
  private func readCovered(_ branch: BranchEntries, _ body: (FetchedDocument) -> Void) throws {
    while resultsLeft > 0 {
      guard try branch.next(&deadline) else { return resultsLeft = 0 }
      resultsLeft -= 1
      let number = try branch.documentNumber()
      body(FetchedDocument(try fetcher.document(number, carriedBy: branch), shape))
    }
  }

  /// How many results are left, which are passed over and confirmed.
  ///
  /// - Complexity: the entries up to the last result.
  /// - Throws: as `nextDocument()`.
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

  /// The one branch of a query whose entries alone decide, and that hasn't begun.
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
