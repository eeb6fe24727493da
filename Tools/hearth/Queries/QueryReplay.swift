import HearthFirestoreJSON
import Hearth

/// A logged query that is answered as Firestore's REST interface would.
struct QueryReplay {
  let logged: LoggedQuery
  let session: AdminSession

  /// Writes the answer of `runQuery` or `runAggregationQuery`.
  ///
  /// - Throws: the error for which the query is refused; ``ToolFailure`` for a transaction.
  func write(to writer: OutputWriter) throws {
    let time = try logged.readTime(in: session)
    let (query, aggregations) = try logged.query.runnable()
    // The query runs before any output, so that a refusal stands alone.
    var answer = MessageArray(writer)
    var documents: [DocumentMessage] = []
    switch (logged.explain?.analyze, logged.query) {
    case (nil, .documents):
      let results = try session.run(QueryCall(query, at: time)) { documents.append($0) }
      try write(
        documents, skipped: results.statistics.resultsSkipped, at: results.readTime, to: &answer)
    case (nil, .figures):
      let results = try session.run(AggregateCall(aggregations, of: query, at: time))
      try write(results.figures, at: results.readTime, to: &answer)
    case (true?, let asked):
      let call = ExplainCall(query, aggregating: aggregations, .answer, at: time)
      let results = try session.run(call) { documents.append($0) }
      if case .documents = asked {
        let skipped = results.explanation.statistics?.resultsSkipped ?? 0
        try write(documents, skipped: skipped, at: results.readTime, to: &answer)
      } else {
        try write(results.figures, at: results.readTime, to: &answer)
      }
      try write(results.explanation, to: &answer)
    case (false?, _):
      let call = ExplainCall(query, aggregating: aggregations, .plan, at: time)
      try write(plan(by: call), to: &answer)
    }
    try answer.end()
  }

  /// Returns the plan of the query.
  private func plan(by call: ExplainCall) throws -> QueryExplanation {
    do {
      return try session.run(call).explanation
    } catch let error as DatabaseError {
      throw error.forPlanOnly
    }
  }

  private func write(
    _ documents: [DocumentMessage], skipped: Int, at time: Timestamp,
    to answer: inout MessageArray
  ) throws {
    if skipped > 0 {
      try answer.append(RESTResponse.runQuery(skippedResults: skipped, readTime: time))
    }
    for document in documents {
      try answer.append(RESTResponse.runQuery(document: document, readTime: time))
    }
    if documents.isEmpty, skipped == 0 {
      try answer.append(RESTResponse.runQuery(readTime: time))
    }
  }

  private func write(
    _ figures: Figures, at time: Timestamp, to answer: inout MessageArray
  ) throws {
    try answer.append(RESTResponse.runAggregationQuery(figures: figures.values, readTime: time))
  }

  /// Writes the plan or the run of the query, in the figures of production's explain (§9.2).
  private func write(_ explanation: QueryExplanation, to answer: inout MessageArray) throws {
    try answer.append(RESTResponse.runQuery(metrics: QueryMetrics(explanation)))
  }
}

extension AnyQuery {
  /// Returns the query to run, and the figures to compute over its results.
  ///
  /// - Throws: `invalidArgument` for values that are nested too deep for a message.
  func runnable() throws(DatabaseError) -> (query: RunnableQuery, aggregations: [Aggregation]) {
    switch self {
    case .documents(let query): (try RunnableQuery(query), [])
    case .figures(let figures): (try RunnableQuery(figures.query), figures.aggregations)
    }
  }
}

extension LoggedQuery {
  /// Returns the time at which the query reads; `nil` for the present.
  ///
  /// - Throws: `invalidArgument` for another database; ``ToolFailure`` for a transaction.
  func readTime(in session: AdminSession) throws -> Timestamp? {
    let own = session.databaseID
    if let named = database, named != own {
      throw DatabaseError(
        .invalidArgument,
        "The request was for database '\(own)' but was attempting to access database '\(named)'")
    }
    switch consistency {
    case nil: return nil
    case .readTime(let time): return time
    case .transaction, .newTransaction:
      throw ToolFailure.badInput(
        "the request is part of a transaction: take transaction and newTransaction out of it.")
    }
  }
}
