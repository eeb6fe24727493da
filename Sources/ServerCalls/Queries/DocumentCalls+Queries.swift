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
    let plansOnly = request.hasExplainOptions && !request.explainOptions.analyze
    let answer = try await read(version, of: parent.database, context) {
      snapshot, database throws(DatabaseError) in
      let query = database.query(structured)
      return plansOnly
        ? QueryOutcome.plan(try query.plan())
        : .results(try snapshot.getDocuments(query, timeout: context.queryTime), of: query)
    }
    try await announce(answer, of: parent.database, context) { begun in
      try await send(.with { $0.transaction = begun })
    }
    switch answer.value {
    case .plan(let plan): try await send(.with { $0.explainMetrics = plan.message })
    case .results(let results, let query):
      try await QueryAnswer(results, in: parent.database, at: answer.readTime).send(by: send)
      guard request.hasExplainOptions else { return }
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
    let plansOnly = request.hasExplainOptions && !request.explainOptions.analyze
    let aggregations = aggregation.aggregations
    let answer = try await read(version, of: parent.database, context) {
      snapshot, database throws(DatabaseError) in
      let query = database.query(aggregation.query)
      return plansOnly
        ? QueryOutcome.plan(try query.plan(aggregating: aggregations))
        : .results(
          try snapshot.aggregate(aggregations, of: query, timeout: context.queryTime), of: query)
    }
    try await announce(answer, of: parent.database, context) { begun in
      try await send(.with { $0.transaction = begun })
    }
    switch answer.value {
    case .plan(let plan): try await send(.with { $0.explainMetrics = plan.message })
    case .results(let figures, let query):
      var response = V1.RunAggregationQueryResponse()
      response.result.aggregateFields = figures.values.map { V1.FieldEntry($0.alias, $0.value) }
      response.readTime = answer.readTime.message
      try await send(response)
      guard request.hasExplainOptions else { return }
      let metrics = try query.explained(aggregating: aggregations).message
      try await send(.with { $0.explainMetrics = metrics })
    }
  }
}

/// The results of a query, or its plan if no more was asked for.
private enum QueryOutcome<Results: Sendable>: Sendable {
  case plan(QueryExplanation)
  case results(Results, of: Query)
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
