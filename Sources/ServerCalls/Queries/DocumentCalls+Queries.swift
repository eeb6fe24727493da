import Hearth
import HearthDocumentModel
import HearthProtocols
import HearthQueryPlanning
import SwiftProtobuf

extension DocumentCalls {
  /// Sends the results of a query (§4).
  ///
  /// There is at least one message with a read time. Results that the offset skips are counted in a
  /// message of their own.
  package func runQuery(
    _ request: V1.RunQueryRequest, _ context: CallContext, send: Sending<V1.RunQueryResponse>
  ) async throws {
    let parent = try ResourceName(parent: request.parent)
    guard case .structuredQuery(let message)? = request.queryType else {
      throw DatabaseError.invalidArgument("only structured queries are supported")
    }
    let structured = try StructuredQuery(message, below: parent.path)
    let version = try ReadVersion(request.consistencySelector)
    let database = try await database(parent.database, context)
    let query = database.query(structured)
    if request.hasExplainOptions {
      guard request.explainOptions.analyze else {
        let metrics = try query.plan().message
        return try await send(.with { $0.explainMetrics = metrics })
      }
    }
    let snapshot = try database.snapshot(of: version)
    let results = try answering(in: parent.database) { () throws(DatabaseError) in
      try snapshot.getDocuments(query, timeout: context.timeLeft)
    }
    try await QueryAnswer(results, in: parent.database, at: snapshot.readTime).send(by: send)
    if request.hasExplainOptions {
      let metrics = try query.explained().message
      try await send(.with { $0.explainMetrics = metrics })
    }
  }

  /// Sends figures over a query's results (§9.1).
  package func runAggregationQuery(
    _ request: V1.RunAggregationQueryRequest, _ context: CallContext,
    send: Sending<V1.RunAggregationQueryResponse>
  ) async throws {
    let parent = try ResourceName(parent: request.parent)
    guard case .structuredAggregationQuery(let message)? = request.queryType else {
      throw DatabaseError.invalidArgument("Only structured aggregation queries are supported.")
    }
    let aggregation = try AggregationQuery(message, below: parent.path)
    let version = try ReadVersion(request.consistencySelector)
    let database = try await database(parent.database, context)
    let query = database.query(aggregation.query)
    var response = V1.RunAggregationQueryResponse()
    if request.hasExplainOptions, !request.explainOptions.analyze {
      response.explainMetrics = try query.plan(aggregating: aggregation.aggregations).message
      return try await send(response)
    }
    let snapshot = try database.snapshot(of: version)
    let figures = try answering(in: parent.database) { () throws(DatabaseError) in
      try snapshot.aggregate(
        aggregation.aggregations, of: query, timeout: context.timeLeft)
    }
    response.result.aggregateFields = figures.values.map { V1.FieldEntry($0.alias, $0.value) }
    response.readTime = snapshot.readTime.message
    try await send(response)
    if request.hasExplainOptions {
      let metrics = try query.explained(aggregating: aggregation.aggregations).message
      try await send(.with { $0.explainMetrics = metrics })
    }
  }
}

extension Query {
  /// Runs the query once more, and returns its plan with the work that it took.
  fileprivate func explained(
    aggregating aggregations: [Aggregation] = []
  ) throws(DatabaseError) -> QueryExplanation {
    try explain(aggregating: aggregations, running: true)
  }

  /// Returns the plan of the query, which doesn't run.
  fileprivate func plan(
    aggregating aggregations: [Aggregation] = []
  ) throws(DatabaseError) -> QueryExplanation {
    do throws(DatabaseError) {
      return try explain(aggregating: aggregations, running: false)
    } catch {
      throw error.forPlanOnly
    }
  }
}
