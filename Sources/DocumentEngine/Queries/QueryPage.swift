package import HearthDocumentModel
package import HearthQueryPlanning

/// Results of a query that follow each other, in memory up to a bound.
package struct QueryPage {
  /// The number and the size of results from which on a page takes no further one.
  package struct Bounds: Sendable {
    package let count: Int
    package let byteCount: Int

    package init(count: Int = 1_024, byteCount: Int = 4 * 1_048_576) {
      self.count = count
      self.byteCount = byteCount
    }

    /// Creates the bounds of a query's first page. The nearest vectors, which are few, are one.
    package init(of query: StructuredQuery) {
      self = query.nearest == nil ? Bounds() : Bounds(count: .max, byteCount: .max)
    }
  }

  package private(set) var documents: [FetchedDocument] = []
  /// Whether there may be results after these.
  package private(set) var hasMore = false
  private let bounds: Bounds
  private var byteCount = 0

  package init(_ bounds: Bounds) {
    self.bounds = bounds
  }

  fileprivate init(_ bounds: Bounds, reserving count: Int) {
    self.bounds = bounds
    documents.reserveCapacity(min(count, 64))
  }

  private var isFull: Bool {
    documents.count >= bounds.count || byteCount >= bounds.byteCount
  }

  /// Takes the next result. A full page only notes that there is one.
  package mutating func offer(_ document: FetchedDocument) {
    guard !isFull else {
      hasMore = true
      return
    }
    documents.append(document)
    byteCount += document.byteCount
  }

  /// Takes the remaining results of an execution until the page is full.
  fileprivate mutating func fill(from execution: QueryExecution) throws(DatabaseError) {
    hasMore = try execution.readDocuments {
      offer($0)
      return !isFull
    }
  }
}

extension QueryExecution {
  /// Reads the next page of results.
  ///
  /// What a transaction depends on is the whole result. So in a view whose reads are recorded the
  /// others are read as well, and aren't kept.
  ///
  /// - Complexity: the entries up to the last result of the page, at most 255 more, and a document
  ///   for each result.
  /// - Throws: as `nextDocument()`.
  package func nextPage(_ bounds: QueryPage.Bounds) throws(DatabaseError) -> QueryPage {
    deadline.restart()
    try deadline.check()
    var page = QueryPage(bounds, reserving: plan.limit ?? 0)
    if isRecorded {
      try readDocuments {
        page.offer($0)
        return true
      }
    } else {
      try page.fill(from: self)
    }
    return page
  }
}

extension ReadView {
  /// Starts `query` behind its first results. It counts as no use of the query's indexes, and
  /// nothing records what it reads.
  ///
  /// - Parameter count: the number of results that were read in this view.
  /// - Complexity: the first result costs the entries up to there.
  /// - Throws: as `run`.
  package func continuation(
    of query: StructuredQuery, after count: Int, deadline: ContinuousClock.Instant?
  ) throws(DatabaseError) -> QueryExecution {
    var rest = query
    rest.offset += count
    rest.limit = query.limit.map { $0 - count }
    return try runUncounted(rest, deadline: deadline)
  }
}
