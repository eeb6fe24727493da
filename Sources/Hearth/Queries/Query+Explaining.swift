public import HearthDocumentModel
public import HearthQueryPlanning
import HearthDocumentEngine
import HearthEngineUpkeep

extension QueryBuilding {
  /// Explains how the query runs with the present indexes.
  ///
  /// ```swift
  /// let explanation = try japan.explain()
  /// print(explanation.plan)
  /// for unused in explanation.indexesNotUsed { print(unused.index, unused.reason) }
  /// ```
  ///
  /// - Parameters:
  ///   - aggregations: figures over the results to compute instead of returning the results.
  ///   - runs: whether the query is also run, to measure its work.
  ///   - timeout: the time that the run may take.
  /// - Complexity: none, or that of the query.
  /// - Throws: the errors of `getDocuments`: a query that lacks an index has no plan.
  public func explain(
    aggregating aggregations: [Aggregation] = [], running runs: Bool = true,
    timeout: Duration? = nil
  ) throws(DatabaseError) -> QueryExplanation {
    let query = query
    var run = try ExplainedRun(
      query, aggregating: aggregations, in: query.database.engine.readView(), timeout: timeout)
    return try run.explanation(running: runs)
  }

  /// Does the same without blocking the calling thread.
  public func explain(
    aggregating aggregations: [Aggregation] = [], running runs: Bool = true,
    timeout: Duration? = nil
  ) async throws(DatabaseError) -> QueryExplanation {
    try await Blocking.run { () throws(DatabaseError) in
      try self.explain(aggregating: aggregations, running: runs, timeout: timeout)
    }
  }

  /// Returns the indexes of the collection id that the query doesn't use, each with the reason. It
  /// also works for a query that is refused.
  ///
  /// - Throws: `invalidArgument` for a query that can never run.
  public func indexesNotUsed(
    aggregating aggregations: [Aggregation] = []
  ) throws(DatabaseError) -> [QueryExplanation.UnusedIndex] {
    let query = query
    return try ExplainedRun(
      query, aggregating: aggregations, in: query.database.engine.readView(), timeout: nil
    ).indexesNotUsed()
  }

  /// Does the same without blocking the calling thread.
  public func indexesNotUsed(
    aggregating aggregations: [Aggregation] = []
  ) async throws(DatabaseError) -> [QueryExplanation.UnusedIndex] {
    try await Blocking.run { () throws(DatabaseError) in
      try self.indexesNotUsed(aggregating: aggregations)
    }
  }
}

extension DatabaseSnapshot {
  /// Returns the first page of a query's results, with the explanation of the run that found all of
  /// them.
  ///
  /// - Complexity: that of `getDocuments`, and one entry more for a query that reaches its limit.
  /// - Throws: the errors of `getDocuments`.
  package func explainedPage(
    of query: StructuredQuery, timeout: Duration? = nil
  ) throws(DatabaseError) -> ExplainedAnswer<ResultPage> {
    let checked = try database.query(query).checked(for: .snapshot, of: database)
    return try database.observed(.query, in: view.databaseID) { work throws(DatabaseError) in
      var run = try ExplainedRun(checked, in: view, timeout: timeout)
      run.work = work
      var page = QueryPage(QueryPage.Bounds(of: query))
      let explanation = try run.explanation(running: true) { page.offer($0) }
      return ExplainedAnswer(
        results: resultPage(page, run.statistics), explanation: explanation)
    }
  }

  /// Returns figures over a query's results with the explanation of the run that computed them.
  ///
  /// - Complexity: that of `aggregate`.
  /// - Throws: the errors of `aggregate`.
  package func explainedFigures(
    _ aggregations: [Aggregation], of query: some QueryBuilding, timeout: Duration? = nil
  ) throws(DatabaseError) -> ExplainedAnswer<AggregateSnapshot> {
    let query = try query.checked(for: .snapshot, of: database)
    return try database.observed(.aggregate, in: view.databaseID) { work throws(DatabaseError) in
      var run = try ExplainedRun(query, aggregating: aggregations, in: view, timeout: timeout)
      run.work = work
      let explanation = try run.explanation(running: true)
      return ExplainedAnswer(
        results: AggregateSnapshot(
          values: run.figures, statistics: QueryStatistics(run.statistics)),
        explanation: explanation)
    }
  }
}

/// The results of a query, with the explanation of the run that found them.
package struct ExplainedAnswer<Results> {
  package let results: Results
  package let explanation: QueryExplanation
}

extension ExplainedAnswer: Sendable where Results: Sendable {}

/// A query that is explained in one view of the database.
private struct ExplainedRun {
  let view: ReadView
  let builds: IndexBuilds
  let query: StructuredQuery
  let aggregations: [Aggregation]
  let deadline: ContinuousClock.Instant?
  /// Receives the run for the observers; `nil` without any.
  var work: QueryWork?
  private(set) var figures: [(alias: String, value: Value)] = []
  /// The work of the run.
  private(set) var statistics = ExecutionStatistics()

  init(
    _ query: Query, aggregating aggregations: [Aggregation] = [], in view: ReadView,
    timeout: Duration?
  ) throws(DatabaseError) {
    self.view = view
    builds = query.database.engine.builds
    self.query = try query.runnable()
    self.aggregations = aggregations
    deadline = timeout.map { ContinuousClock.now + $0 }
  }

  private var aggregation: AggregationQuery? {
    aggregations.isEmpty ? nil : AggregationQuery(query, aggregations)
  }

  /// - Parameter take: receives the documents that the run finds.
  mutating func explanation(
    running runs: Bool, _ take: (FetchedDocument) -> Void = { _ in }
  ) throws(DatabaseError) -> QueryExplanation {
    let plan: Plan
    var figures: [NormalizedAggregation.Figure] = []
    if let aggregation {
      plan = try view.plan(aggregation)
      figures = try NormalizedAggregation(aggregation, in: view.databaseID).figures
    } else {
      plan = try view.plan(query)
    }
    var work: [[ScanStatistics]] = []
    var execution: QueryExplanation.Execution?
    if runs { (execution, work) = try aggregation == nil ? run(plan, take) : aggregate(plan) }
    let nodeWork = work.map { branch in
      branch.map { PlanNode.Work(entriesRead: $0.entriesRead, seekCount: $0.seekCount) }
    }
    return QueryExplanation(
      tree: plan.node(computing: figures, work: nodeWork),
      indexesUsed: plan.indexesUsed.map {
        QueryExplanation.UsedIndex(queryScope: plan.source.scopeName, properties: $0.description)
      },
      indexesNotUsed: try indexesNotUsed(),
      indexesReplacingMerges: try indexesReplacingMerges(of: plan), execution: execution)
  }

  func indexesNotUsed() throws(DatabaseError) -> [QueryExplanation.UnusedIndex] {
    Planner.rejections(of: try normalizedQuery(), indexes: view.catalog.indexes).map {
      QueryExplanation.UnusedIndex(
        index: $0.index, isAutomatic: $0.source == .automatic, reason: $0.reason.description,
        edit: $0.edit)
    }
  }

  private func indexesReplacingMerges(of plan: Plan) throws(DatabaseError) -> [MissingIndex] {
    var indexes: [MissingIndex] = []
    for index in Planner.indexesReplacingMerges(
      of: plan, for: try normalizedQuery(), indexes: view.catalog.indexes)
    {
      indexes.append(try builds.addingProgress(to: index))
    }
    return indexes
  }

  private func normalizedQuery() throws(DatabaseError) -> NormalizedQuery {
    guard let aggregation else { return try NormalizedQuery(query, in: view.databaseID) }
    return try NormalizedAggregation(aggregation, in: view.databaseID).query
  }

  private mutating func run(
    _ plan: Plan, _ take: (FetchedDocument) -> Void
  ) throws(DatabaseError) -> (QueryExplanation.Execution, [[ScanStatistics]]) {
    let execution = try view.run(query, deadline: deadline, isMeasured: true)
    work?.run = .documents(query, execution)
    var count = 0
    while let document = try execution.nextDocument() {
      take(document)
      count += 1
    }
    statistics = execution.statistics
    return (
      QueryExplanation.Execution(
        resultCount: count, statistics, execution.times,
        production: QueryExplanation.ProductionStatistics(
          resultCount: count, of: plan, statistics, hasMore: try hasMore(after: count))),
      execution.scanStatistics
    )
  }

  /// Whether the query would have another result without its limit.
  private func hasMore(after resultCount: Int) throws(DatabaseError) -> Bool {
    guard let limit = query.limit, limit > 0, resultCount == limit else { return false }
    let (offset, overflow) = query.offset.addingReportingOverflow(limit)
    guard !overflow else { return false }
    var next = query
    next.offset = offset
    next.limit = 1
    return try view.hasResult(next, deadline: deadline)
  }

  private mutating func aggregate(
    _ plan: Plan
  ) throws(DatabaseError) -> (QueryExplanation.Execution, [[ScanStatistics]]) {
    let aggregation = AggregationQuery(query, aggregations)
    let result = try view.aggregate(aggregation, deadline: deadline, isMeasured: true)
    work?.run = .figures(aggregation, result)
    figures = result.values
    statistics = result.statistics
    return (
      QueryExplanation.Execution(
        resultCount: 1, result.statistics, result.times,
        production: QueryExplanation.ProductionStatistics(
          aggregationOver: plan, result.statistics)), result.scanStatistics
    )
  }
}

extension QueryExplanation.Execution {
  fileprivate init(
    resultCount: Int, _ statistics: ExecutionStatistics, _ times: ExecutionTimes?,
    production: QueryExplanation.ProductionStatistics
  ) {
    self.init(
      resultCount: resultCount, statistics: QueryStatistics(statistics),
      documentBytesRead: statistics.documentBytesRead, planning: times?.planning ?? .zero,
      findingEntries: times?.entries ?? .zero, readingDocuments: times?.documents ?? .zero,
      production: production)
  }
}

extension QuerySource {
  /// Name of the scope in production's words (§5.10).
  fileprivate var scopeName: String { scope == .collection ? "Collection" : "Collection group" }
}
