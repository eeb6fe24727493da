package import DocumentModel
package import QueryPlanning

/// The answer to an aggregation query, and what it took.
package struct AggregationResult: Sendable {
  /// In the order in which they were asked for.
  package let values: [(alias: String, value: Value)]
  package let plan: Plan
  package let statistics: ExecutionStatistics
  /// What each scan of each of the plan's branches did.
  package let scanStatistics: [[ScanStatistics]]
  /// Where the time went, if it is measured.
  package let times: ExecutionTimes?
}

extension ReadView {
  /// Computes the figures of `aggregation` from index entries (§9.1).
  ///
  /// - Complexity: the entries up to the last result, or up to what all counts need; a document
  ///   where an entry doesn't hold all of a value (§3.6). Where kept counts have the answer, a
  ///   point read for each alternative of the filter.
  /// - Throws: as for its plan; `deadlineExceeded`, `dataLoss`, or what the store reports.
  package func aggregate(
    _ aggregation: AggregationQuery, deadline: ContinuousClock.Instant? = nil,
    isMeasured: Bool = false
  ) throws(DatabaseError) -> AggregationResult {
    let start = isMeasured ? ContinuousClock.now : nil
    if let result = try keptResult(of: aggregation, plannedSince: start) { return result }
    let figures = try aggregation.figures()
    let execution = try run(
      aggregation.query, aggregating: figures.fields, deadline: deadline, plannedSince: start)
    var aggregator = Aggregator(figures)
    let limit = figures.documentLimit(execution.plan.limit) ?? .max
    while aggregator.resultCount < limit, try execution.nextEntry() {
      try aggregator.add(execution.number)
    }
    try execution.checkReads()
    return AggregationResult(
      values: aggregator.values, plan: execution.plan, statistics: execution.statistics,
      scanStatistics: execution.scanStatistics, times: execution.times)
  }
}
