import Hearth

/// A query with all its values, for any database.
enum PreparedRun: Sendable {
  case get(ResourcePath)
  case documents(StructuredQuery, lastCount: Int?)
  case figures(StructuredQuery, [Aggregation])
}

/// The work of an operation: its results, and the entries, documents and seeks that it needed.
struct Work: Codable, Equatable, Sendable {
  var results = 0
  var entries = 0
  var documents = 0
  var seeks = 0
}

/// A query with all its values, ready to run.
enum BoundRun: Sendable {
  case get(DocumentReference)
  case documents(Query)
  case figures(Query, [Aggregation])

  init(_ run: PreparedRun, in database: Database) throws(DatabaseError) {
    switch run {
    case .get(let path): self = .get(try database.document(path.description))
    case .documents(let query, let lastCount):
      let query = database.query(query)
      self = .documents(lastCount.map(query.limit(toLast:)) ?? query)
    case .figures(let query, let aggregations):
      self = .figures(database.query(query), aggregations)
    }
  }

  /// Plans the query and reads its results.
  ///
  /// - Parameters:
  ///   - isDecoding: whether all fields of the results are decoded too.
  ///   - timeout: the longest time a query may take. It has no effect on the read of a document by
  ///     its path.
  func perform(isDecoding: Bool, timeout: Duration?) throws(DatabaseError) -> Work {
    switch self {
    case .get(let reference):
      let document = try reference.getDocument()
      if isDecoding { _ = try document.data() }
      return Work(results: document.exists ? 1 : 0, documents: document.exists ? 1 : 0)
    case .documents(let query):
      let results = try query.getDocuments(timeout: timeout)
      if isDecoding {
        for document in results.documents { _ = try document.data() }
      }
      return Work(results.statistics, results: results.count)
    case .figures(let query, let aggregations):
      let figures = try query.aggregate(aggregations, timeout: timeout)
      return Work(figures.statistics, results: figures.values.count)
    }
  }
}

extension Work {
  fileprivate init(_ statistics: QueryStatistics, results: Int) {
    self.init(
      results: results, entries: statistics.entriesRead, documents: statistics.documentsRead,
      seeks: statistics.seekCount)
  }
}
