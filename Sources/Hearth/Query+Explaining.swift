public import DocumentModel
public import QueryPlanning
import DocumentEngine

/// How a query runs: its plan, and why it does not use the other indexes.
public struct QueryExplanation: Sendable {
  /// An index that the query reads, in production's words (§5.10).
  public struct UsedIndex: Sendable, Hashable {
    /// `Collection` or `Collection group`.
    public let queryScope: String
    /// Such as `(countryCode ASC, population DESC, __name__ DESC)`.
    public let properties: String
  }

  /// An index that the query does not read.
  public struct UnusedIndex: Sendable {
    public let index: IndexDefinition
    /// Whether it is one of the single-field indexes.
    public let isAutomatic: Bool
    /// The rest of a sentence about the index: `has scope COLLECTION, which …`.
    public let reason: String
  }

  /// The plan over several lines, for people.
  public let plan: String
  public let indexesUsed: [UsedIndex]
  public let indexesNotUsed: [UnusedIndex]
  /// What running the query took; `nil` if it wasn't run.
  public let statistics: QueryStatistics?
  /// The number of results; `nil` if the query wasn't run.
  public let resultCount: Int?
}

extension QueryBuilding {
  /// How the query runs with the indexes of this moment.
  ///
  /// - Parameters:
  ///   - runs: whether the query is run too, to tell what that takes.
  ///   - timeout: how long that may take.
  /// - Complexity: none, or that of the query.
  /// - Throws: as `getDocuments`: a query that lacks an index has no plan.
  public func explain(
    running runs: Bool = true, timeout: Duration? = nil
  ) throws(DatabaseError) -> QueryExplanation {
    let deadline = timeout.map { ContinuousClock.now + $0 }
    let view = try query.database.engine.readView()
    let structuredQuery = try query.runnable()
    let plan = try view.plan(structuredQuery)
    var statistics: QueryStatistics?
    var resultCount: Int?
    if runs {
      let execution = try view.run(structuredQuery, deadline: deadline)
      var count = 0
      while try execution.nextDocument() != nil { count += 1 }
      statistics = QueryStatistics(execution.statistics)
      resultCount = count
    }
    return QueryExplanation(
      plan: plan.description, indexesUsed: plan.usedIndexes,
      indexesNotUsed: try query.indexesNotUsed(in: view.catalog), statistics: statistics,
      resultCount: resultCount)
  }

  public func explain(
    running runs: Bool = true, timeout: Duration? = nil
  ) async throws(DatabaseError) -> QueryExplanation {
    try await Blocking.run { () throws(DatabaseError) in
      try self.explain(running: runs, timeout: timeout)
    }
  }

  /// The indexes of the collection id that the query doesn't use, each with the reason. It answers
  /// for a query that is refused, too.
  ///
  /// - Throws: `invalidArgument` for a query that can never run.
  public func indexesNotUsed() throws(DatabaseError) -> [QueryExplanation.UnusedIndex] {
    try query.indexesNotUsed(in: query.database.engine.readView().catalog)
  }
}

extension Query {
  fileprivate func indexesNotUsed(
    in catalog: Catalog
  ) throws(DatabaseError) -> [QueryExplanation.UnusedIndex] {
    let normalized = try NormalizedQuery(runnable(), in: catalog.databaseID)
    return Planner.rejections(of: normalized, indexes: catalog.indexes).map {
      QueryExplanation.UnusedIndex(
        index: $0.index, isAutomatic: $0.source == .automatic, reason: $0.reason.description)
    }
  }
}

extension Plan {
  fileprivate var usedIndexes: [QueryExplanation.UsedIndex] {
    let scope = source.scope == .collection ? "Collection" : "Collection group"
    return scans.map {
      QueryExplanation.UsedIndex(queryScope: scope, properties: $0.index.description)
    }
  }
}
