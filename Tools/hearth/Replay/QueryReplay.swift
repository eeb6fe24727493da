import FirestoreJSON
import Hearth

/// Answers a logged query as Firestore's REST interface would.
struct QueryReplay {
  let logged: LoggedQuery
  let database: Database

  /// Writes the answer of `runQuery` or `runAggregationQuery`.
  ///
  /// - Throws: what the query is refused for; ``ToolFailure`` for a transaction.
  func write(to writer: OutputWriter) throws {
    let snapshot = try logged.snapshot(of: database)
    // Planned before anything is answered, so that a refusal stands alone.
    var metrics: QueryMetrics?
    if let options = logged.explain { metrics = try self.metrics(isAnalyzed: options.analyze) }
    var answer = MessageArray(writer)
    if logged.explain?.analyze ?? true {
      switch logged.query {
      case .documents(let query): try write(query, at: snapshot, to: &answer)
      case .figures(let query): try write(query, at: snapshot, to: &answer)
      }
    }
    if let metrics { try answer.append(RESTResponse.runQuery(metrics: metrics)) }
    try answer.end()
  }

  /// How the query runs, in the figures of production's explain (§9.2).
  private func metrics(isAnalyzed: Bool) throws(DatabaseError) -> QueryMetrics {
    let query: Query
    var aggregations: [Aggregation] = []
    switch logged.query {
    case .documents(let documents): query = database.query(documents)
    case .figures(let figures):
      query = database.query(figures.query)
      aggregations = figures.aggregations
    }
    do {
      return QueryMetrics(try query.explain(aggregating: aggregations, running: isAnalyzed))
    } catch {
      throw isAnalyzed ? error : error.forPlanOnly
    }
  }

  private func write(
    _ query: StructuredQuery, at snapshot: DatabaseSnapshot, to answer: inout MessageArray
  ) throws {
    let results = try snapshot.getDocuments(database.query(query))
    let skipped = results.statistics.resultsSkipped
    let time = snapshot.readTime
    if skipped > 0 {
      try answer.append(RESTResponse.runQuery(skippedResults: skipped, readTime: time))
    }
    let databaseID = try database.id()
    for result in results.documents {
      let document = DocumentMessage(
        name: try DocumentName(result.reference.path, in: databaseID),
        fields: try result.data() ?? MapValue(), createTime: result.createTime,
        updateTime: result.updateTime)
      try answer.append(RESTResponse.runQuery(document: document, readTime: time))
    }
    if results.isEmpty, skipped == 0 {
      try answer.append(RESTResponse.runQuery(readTime: time))
    }
  }

  private func write(
    _ query: AggregationQuery, at snapshot: DatabaseSnapshot, to answer: inout MessageArray
  ) throws {
    let figures = try snapshot.aggregate(
      query.aggregations, of: database.query(query.query)
    ).values
    try answer.append(
      RESTResponse.runAggregationQuery(figures: figures, readTime: snapshot.readTime))
  }

}

extension LoggedQuery {
  /// What the query is to see. The tool keeps no past: a time that can be read is the present.
  ///
  /// - Throws: `invalidArgument` for another database; ``ToolFailure`` for a transaction.
  func snapshot(of database: Database) throws -> DatabaseSnapshot {
    try check(database)
    switch consistency {
    case nil: return try database.snapshot()
    case .readTime(let time): return try database.snapshot(at: time)
    case .transaction, .newTransaction:
      throw ToolFailure(
        .badInput, .invalidArgument,
        "the request is part of a transaction: take transaction and newTransaction out of it.")
    }
  }

  private func check(_ database: Database) throws {
    let own = try database.id()
    guard let named = self.database, named != own else { return }
    throw DatabaseError(
      .invalidArgument,
      "The request was for database '\(own)' but was attempting to access database '\(named)'")
  }
}
