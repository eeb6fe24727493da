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
    // Run before anything is answered, so that a refusal stands alone.
    var answer = MessageArray(writer)
    switch (logged.explain?.analyze, logged.query) {
    case (nil, .documents(let query)):
      let results = try snapshot.getDocuments(database.query(query))
      try write(
        results.documents, skipped: results.statistics.resultsSkipped, at: snapshot, to: &answer)
    case (nil, .figures(let query)):
      let results = try snapshot.aggregate(query.aggregations, of: database.query(query.query))
      try write(results.values, at: snapshot, to: &answer)
    case (true?, .documents(let query)):
      let results = try snapshot.explainedAnswer(to: query)
      let skipped = results.explanation.statistics?.resultsSkipped ?? 0
      try write(results.documents, skipped: skipped, at: snapshot, to: &answer)
      try write(results.explanation, to: &answer)
    case (true?, .figures(let query)):
      let results = try snapshot.explainedAnswer(
        to: query.query, aggregating: query.aggregations)
      try write(results.figures, at: snapshot, to: &answer)
      try write(results.explanation, to: &answer)
    case (false?, _): try write(plan(), to: &answer)
    }
    try answer.end()
  }

  /// How the query would run.
  private func plan() throws(DatabaseError) -> QueryExplanation {
    do {
      switch logged.query {
      case .documents(let query): return try database.query(query).explain(running: false)
      case .figures(let figures):
        return try database.query(figures.query).explain(
          aggregating: figures.aggregations, running: false)
      }
    } catch {
      throw error.forPlanOnly
    }
  }

  private func write(
    _ documents: [DocumentSnapshot], skipped: Int, at snapshot: DatabaseSnapshot,
    to answer: inout MessageArray
  ) throws {
    let time = snapshot.readTime
    if skipped > 0 {
      try answer.append(RESTResponse.runQuery(skippedResults: skipped, readTime: time))
    }
    let databaseID = try database.id()
    for document in documents {
      let message = DocumentMessage(
        name: try DocumentName(document.reference.path, in: databaseID),
        fields: try document.data() ?? MapValue(), createTime: document.createTime,
        updateTime: document.updateTime)
      try answer.append(RESTResponse.runQuery(document: message, readTime: time))
    }
    if documents.isEmpty, skipped == 0 {
      try answer.append(RESTResponse.runQuery(readTime: time))
    }
  }

  private func write(
    _ figures: [(alias: String, value: Value)], at snapshot: DatabaseSnapshot,
    to answer: inout MessageArray
  ) throws {
    try answer.append(
      RESTResponse.runAggregationQuery(figures: figures, readTime: snapshot.readTime))
  }

  /// Writes how the query runs or ran, in the figures of production's explain (§9.2).
  private func write(_ explanation: QueryExplanation, to answer: inout MessageArray) throws {
    try answer.append(RESTResponse.runQuery(metrics: QueryMetrics(explanation)))
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
