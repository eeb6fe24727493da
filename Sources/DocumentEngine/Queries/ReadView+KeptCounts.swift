package import HearthDocumentModel
package import HearthQueryPlanning
import HearthStorageFormat

/// The number of a query's results according to kept counts.
package struct KeptCountAnswer: Sendable {
  package let resultCount: Int
  /// The plan by which the query would run. It shows that the query may be answered.
  package let plan: Plan
  package let statistics: ExecutionStatistics

  fileprivate init(_ total: Int, _ plan: Plan, limit: Int?, countsRead: Int) {
    let skipped = min(total, plan.offset)
    resultCount = min(total - skipped, limit ?? .max)
    self.plan = plan
    var statistics = ExecutionStatistics()
    statistics.resultsSkipped = skipped
    statistics.keptCountsRead = countsRead
    statistics.entriesCounted = skipped + resultCount
    self.statistics = statistics
  }

  /// The work of each scan of each of the plan's branches, which is none.
  package var scanStatistics: [[ScanStatistics]] {
    plan.branches.map { $0.scans.map { _ in ScanStatistics() } }
  }
}

extension ReadView {
  /// Returns the number of a query's results, if kept counts have it. Its filter must be equalities
  /// on exactly the counted fields. Returns `nil` for any other query.
  ///
  /// - Complexity: a point read for each alternative of the filter; none for cached counts.
  /// - Throws: the errors of the query's plan, since counts answer only queries that indexes would.
  package func keptCount(of query: StructuredQuery) throws(DatabaseError) -> KeptCountAnswer? {
    guard let (question, counts) = keptCounts(for: query) else { return nil }
    return try reportingErrors { try answer(question, counts, query, limit: query.limit) }
  }

  /// Returns the result of an aggregation that only counts, if kept counts have it; `nil`
  /// otherwise.
  ///
  /// - Parameter isMeasured: whether the result has the time that planning took.
  /// - Throws: the errors of its plan.
  func keptResult(
    of aggregation: AggregationQuery, isMeasured: Bool
  ) throws(DatabaseError) -> AggregationResult? {
    let start = isMeasured ? ContinuousClock.now : nil
    let query = aggregation.query
    guard aggregation.aggregations.allSatisfy(\.isCount),
      let (question, counts) = keptCounts(for: query)
    else { return nil }
    return try reportingErrors {
      let figures = try aggregation.figures()
      let limit = figures.documentLimit(query.limit)
      guard let answer = try answer(question, counts, query, limit: limit) else { return nil }
      var aggregator = Aggregator(figures)
      aggregator.add(resultCount: answer.resultCount)
      return AggregationResult(
        values: aggregator.values, plan: answer.plan, statistics: answer.statistics,
        scanStatistics: answer.scanStatistics,
        times: start.map { ExecutionTimes(planning: ContinuousClock.now - $0) })
    }
  }

  private func answer(
    _ question: CountQuestion, _ counts: KeptCounts, _ query: StructuredQuery, limit: Int?
  ) throws -> KeptCountAnswer? {
    let planned = try planned(query)
    let plan = planned.plan
    guard let keys = try keys(of: question, counts, plan) else { return nil }
    count(planned)
    var total = 0
    for key in keys { total &+= try keptCount(at: key) }
    return KeptCountAnswer(total, plan, limit: limit, countsRead: keys.count)
  }

  /// Returns the values that a query asks for, and the counts that have them, as far as the form of
  /// the query tells.
  private func keptCounts(for query: StructuredQuery) -> (CountQuestion, KeptCounts)? {
    guard caches.settings.usesKeptCounts, !catalog.tunings.counts.isEmpty,
      !catalog.counts(of: query.collectionID).isEmpty,
      query.mayBeCounted, let question = CountQuestion(query.filter),
      question.fixes(query.orders), let counts = keptCounts(of: query, by: question.fields)
    else { return nil }
    return (question, counts)
  }

  private func keptCounts(of query: StructuredQuery, by fields: [FieldPath]) -> KeptCounts? {
    let scope: QueryScope = query.allDescendants ? .collectionGroup : .collection
    return catalog.counts(of: query.collectionID).first { counts in
      counts.state == .ready && counts.definition.scope == scope
        && counts.definition.fields == fields
    }
  }

  /// Returns the keys of the counts to add up, recorded as read; `nil` if a value is too long to
  /// have a count of its own.
  private func keys(
    of question: CountQuestion, _ counts: KeptCounts, _ plan: Plan
  ) throws -> [[UInt8]]? {
    var collection: UInt64 = 0
    if case .collection(let path) = plan.source {
      guard let number = try collectionNumber(of: path) else {
        // The collection may not have had a document yet. Its first one writes this key.
        recorder?.record { $0.insert(StorageKey.collection(path)) }
        return []
      }
      collection = number
    }
    let encoder = ValueEncoder(own: databaseID)
    var keys: [[UInt8]] = []
    for values in question.combinations {
      guard let key = counts.key(collection: collection, values: values, encoder) else {
        return nil
      }
      // 1 and 1.0 are one value.
      if keys.isEmpty || !keys.contains(key) { keys.append(key) }
    }
    // Recorded as a scan, since the result also depends on the count being kept.
    recorder?.record { reads in
      for key in keys { reads.insertScan(from: key, through: key.span.bytes) }
    }
    return keys
  }
}

/// A filter in the form of values that some fields must have.
struct CountQuestion {
  private static let combinationLimit = 30

  /// The fields, sorted.
  private(set) var fields: [FieldPath] = []
  /// Lists of values in the order of the fields. A document must have the values of one of these
  /// lists.
  private(set) var combinations: [[Value]] = [[]]

  /// Returns `nil` for a filter with anything but equalities, each on a field of its own. A list of
  /// alternatives is several equalities.
  init?(_ filter: Filter?) {
    switch filter {
    case nil: return
    case .and(let filters):
      var conditions: [(field: FieldPath, values: [Value])] = []
      for filter in filters {
        guard let condition = filter.equality else { return nil }
        conditions.append(condition)
      }
      conditions.sort { $0.field < $1.field }
      for condition in conditions {
        guard fields.last != condition.field else { return nil }
        append(condition)
        // These are more alternatives than any query may have (§1.2).
        guard combinations.count <= CountQuestion.combinationLimit else { return nil }
      }
    case .some(let filter):
      guard let condition = filter.equality else { return nil }
      append(condition)
    }
  }

  private mutating func append(_ condition: (field: FieldPath, values: [Value])) {
    fields.append(condition.field)
    guard condition.values.count != 1 else {
      for index in combinations.indices { combinations[index].append(condition.values[0]) }
      return
    }
    combinations = combinations.flatMap { combination in
      condition.values.map { combination + [$0] }
    }
  }

  /// Whether sorting by these orders leaves no document out.
  func fixes(_ orders: [Order]) -> Bool {
    orders.allSatisfy { $0.field.isDocumentID || fields.contains($0.field) }
  }
}

extension Filter {
  /// The field and the values that it may have; `nil` for a filter that is no such equality, or
  /// that doesn't compare values as they sort.
  fileprivate var equality: (field: FieldPath, values: [Value])? {
    switch self {
    case .field(let field, .equal, let value):
      guard !field.isDocumentID, !value.equalsNothing else { return nil }
      return (field, [value])
    case .field(let field, .in, .array(let values)):
      guard !field.isDocumentID, !values.isEmpty,
        !values.contains(where: \.equalsNothing)
      else { return nil }
      return (field, values)
    case .unary(let field, .isNull) where !field.isDocumentID: return (field, [.null])
    case .unary(let field, .isNaN) where !field.isDocumentID: return (field, [.double(.nan)])
    default: return nil
    }
  }
}

extension StructuredQuery {
  /// Whether the filter, an offset and a limit alone decide which documents are results.
  fileprivate var mayBeCounted: Bool {
    start == nil && end == nil && nearest == nil && offset >= 0
      && (!allDescendants || parent.isRoot)
  }
}

extension Aggregation {
  fileprivate var isCount: Bool {
    if case .count = self.operator { true } else { false }
  }
}
