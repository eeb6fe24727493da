package import HearthDocumentModel
package import HearthQueryPlanning

/// The result of an aggregation query and the work that it took.
package struct AggregationResult: Sendable {
  /// The figures in the order in which the query names them.
  package let values: [(alias: String, value: Value)]
  package let plan: Plan
  package let statistics: ExecutionStatistics
  /// The work of each scan of each of the plan's branches.
  package let scanStatistics: [[ScanStatistics]]
  /// The time that each part took; `nil` if it isn't measured.
  package let times: ExecutionTimes?
}

extension ReadView {
  /// Computes the figures of `aggregation` from index entries (§9.1).
  ///
  /// - Complexity: the entries up to the last result, or up to the largest limit of the counts; a
  ///   document for each entry that doesn't hold all of a value (§3.6). If kept counts have the
  ///   result, a point read for each alternative of the filter.
  /// - Throws: errors of its plan; `deadlineExceeded`; `dataLoss`; errors of the store.
  package func aggregate(
    _ aggregation: AggregationQuery, deadline: ContinuousClock.Instant? = nil,
    isMeasured: Bool = false
  ) throws(DatabaseError) -> AggregationResult {
    if let result = try keptResult(of: aggregation, isMeasured: isMeasured) { return result }
    let figures = try aggregation.figures()
    let execution = try run(
      aggregation.query, aggregating: figures.fields, deadline: deadline, isMeasured: isMeasured)
    var aggregator = Aggregator(figures)
    let limit = figures.documentLimit(execution.plan.limit) ?? .max
    while aggregator.resultCount < limit, try execution.nextEntry() {
      try aggregator.add(execution.number)
    }
    try execution.finish()
    return AggregationResult(
      values: aggregator.values, plan: execution.plan, statistics: execution.statistics,
      scanStatistics: execution.scanStatistics, times: execution.times)
  }
}
