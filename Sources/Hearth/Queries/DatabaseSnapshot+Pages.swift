import HearthDocumentEngine
package import HearthDocumentModel
package import HearthQueryPlanning

/// The first results of a query, in memory up to a bound.
package struct ResultPage: Sendable {
  package let results: QuerySnapshot
  /// Whether there may be results after these.
  package let hasMore: Bool
}

/// The results of a query after its first page, page by page. Only one thread may use it at a time.
package struct ResultPages {
  private let execution: QueryExecution
  private let database: Database
  private var isOver = false

  fileprivate init(_ execution: QueryExecution, of database: Database) {
    self.execution = execution
    self.database = database
  }

  /// The work so far.
  package var statistics: QueryStatistics { QueryStatistics(execution.statistics) }

  /// Returns the results of the next page; `nil` after the last page.
  ///
  /// - Complexity: the index entries up to the last result, and one document for each result. The
  ///   first call passes over the results before, with the documents of those that entries alone
  ///   don't decide.
  /// - Throws: `deadlineExceeded`, or `cancelled`; `dataLoss`; or the store's error.
  package mutating func next() throws(DatabaseError) -> [DocumentSnapshot]? {
    guard !isOver else { return nil }
    let page = try database.observed(.query) { () throws(DatabaseError) in
      try execution.nextPage(QueryPage.Bounds())
    }
    isOver = !page.hasMore
    let source = ResultSource(database)
    return page.documents.map { DocumentSnapshot($0, of: source) }
  }
}

extension DatabaseSnapshot {
  /// Whether a transaction depends on what is read in the snapshot.
  package var isRecorded: Bool { view.isRecorded }

  /// Returns a snapshot of the same moment on whose reads no transaction depends.
  package func unrecorded() -> DatabaseSnapshot {
    DatabaseSnapshot(view.unrecorded(), at: readTime, in: database)
  }

  /// Returns the first results of a query, up to 1,024 documents or 4 MiB. In the snapshot of a
  /// transaction, the others are read as well, since the transaction depends on them.
  ///
  /// - Complexity: the index entries up to the last result of the page, at most 255 more, and one
  ///   document for each result.
  /// - Throws: the errors of `getDocuments`.
  package func firstPage(
    of query: StructuredQuery, timeout: Duration? = nil
  ) throws(DatabaseError) -> ResultPage {
    let checked = try database.query(query).checked(for: .snapshot, of: database)
    return try database.observed(.query, in: view.databaseID) { work throws(DatabaseError) in
      let execution = try checked.execution(in: view, timeout, work)
      let page = try execution.nextPage(QueryPage.Bounds(of: query))
      if page.hasMore, !isRecorded { try execution.finish() }
      return resultPage(page, execution.statistics)
    }
  }

  /// Returns the results of a query after its first page. They count as no further query.
  ///
  /// - Parameter page: the first page in this snapshot. It has more.
  /// - Throws: `deadlineExceeded`, or `cancelled`; `dataLoss`; or the store's error.
  package func pages(
    of query: StructuredQuery, after page: ResultPage, deadline: ContinuousClock.Instant? = nil
  ) throws(DatabaseError) -> ResultPages {
    ResultPages(
      try view.continuation(of: query, after: page.results.count, deadline: deadline),
      of: database)
  }

  func resultPage(_ page: QueryPage, _ statistics: ExecutionStatistics) -> ResultPage {
    let source = ResultSource(database)
    return ResultPage(
      results: QuerySnapshot(
        page.documents.map { DocumentSnapshot($0, of: source) }, at: readTime, statistics),
      hasMore: page.hasMore)
  }
}
