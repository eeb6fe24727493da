import Hearth
package import HearthDocumentModel
import HearthFirestoreJSON
import HearthProtocols
import HearthQueryPlanning
import HearthRules
import SwiftProtobuf

extension V1.RunQueryRequest: QueryRequest {
  package func requestedQuery() throws(DatabaseError) -> RequestedQuery? {
    guard !hasExplainOptions || explainOptions.analyze else { return nil }
    let (id, query) = try structured()
    return RequestedQuery(.documents(query), in: id)
  }

  fileprivate func structured() throws(DatabaseError) -> (DatabaseID, StructuredQuery) {
    let parent = try ResourceName(parent: parent)
    guard case .structuredQuery(let message)? = queryType else {
      throw DatabaseError.invalidArgument("only structured queries are supported")
    }
    return (parent.database, try StructuredQuery(message, below: parent.path))
  }
}

extension V1.RunAggregationQueryRequest: QueryRequest {
  package func requestedQuery() throws(DatabaseError) -> RequestedQuery? {
    guard !hasExplainOptions || explainOptions.analyze else { return nil }
    let (id, query) = try structured()
    return RequestedQuery(.figures(query), in: id)
  }

  fileprivate func structured() throws(DatabaseError) -> (DatabaseID, AggregationQuery) {
    let parent = try ResourceName(parent: parent)
    guard case .structuredAggregationQuery(let message)? = queryType else {
      throw DatabaseError.invalidArgument("Only structured aggregation queries are supported.")
    }
    return (parent.database, try AggregationQuery(message, below: parent.path))
  }
}

extension DocumentCalls {
  /// Sends the results of a query (§4), page by page, as the client takes them.
  ///
  /// There is at least one message with a read time. Results that the offset skips are counted in a
  /// message of their own.
  package func runQuery(
    _ request: V1.RunQueryRequest, _ context: CallContext, send: Sending<V1.RunQueryResponse>
  ) async throws {
    let (id, structured) = try request.structured()
    let version = try ReadVersion(request.consistencySelector)
    let explained = ExplainedExtent(request.hasExplainOptions ? request.explainOptions : nil)
    let deadline = context.queryDeadline
    let judge = try judge(of: id, context)
    let answer = try await read(version, RequestedQuery(.documents(structured), in: id), context) {
      snapshot, database throws(DatabaseError) -> QueryOutcome<ResultPage> in
      try judge?.check(structured, in: version.rulesSnapshot(for: snapshot, of: database))
      switch explained {
      case .nothing:
        return .results(try snapshot.firstPage(of: structured, timeout: deadline - .now), nil)
      case .plan: return .plan(try database.query(structured).plan())
      case .run:
        let answer = try snapshot.explainedPage(of: structured, timeout: deadline - .now)
        return .results(answer.results, answer.explanation)
      }
    }
    try await announce(answer, of: id, context) { begun in
      try await send(.with { $0.transaction = begun })
    }
    switch answer.value {
    case .plan(let plan): try await send(.with { $0.explainMetrics = plan.message })
    case .results(let page, let explanation):
      context.work?.note(page.results.statistics)
      let sender = QueryAnswer(database: id, readTime: answer.readTime)
      try await sender.send(page.results, by: send)
      if page.hasMore {
        var pages = try answer.snapshot.pages(of: structured, after: page, deadline: deadline)
        while let documents = try pages.next() { try await sender.send(documents, by: send) }
        context.work?.note(pages.statistics)
      }
      guard let metrics = explanation?.message else { return }
      try await send(.with { $0.explainMetrics = metrics })
    }
  }

  /// Sends figures over a query's results (§9.1).
  package func runAggregationQuery(
    _ request: V1.RunAggregationQueryRequest, _ context: CallContext,
    send: Sending<V1.RunAggregationQueryResponse>
  ) async throws {
    let (id, aggregation) = try request.structured()
    let version = try ReadVersion(request.consistencySelector)
    let explained = ExplainedExtent(request.hasExplainOptions ? request.explainOptions : nil)
    let aggregations = aggregation.aggregations
    let judge = try judge(of: id, context)
    let answer = try await read(version, RequestedQuery(.figures(aggregation), in: id), context) {
      snapshot, database throws(DatabaseError) -> QueryOutcome<AggregateSnapshot> in
      try judge?.check(aggregation.query, in: version.rulesSnapshot(for: snapshot, of: database))
      let query = database.query(aggregation.query)
      let timeout = context.queryTime
      switch explained {
      case .nothing:
        return .results(try snapshot.aggregate(aggregations, of: query, timeout: timeout), nil)
      case .plan: return .plan(try query.plan(aggregating: aggregations))
      case .run:
        let answer = try snapshot.explainedFigures(aggregations, of: query, timeout: timeout)
        return .results(answer.results, answer.explanation)
      }
    }
    try await announce(answer, of: id, context) { begun in
      try await send(.with { $0.transaction = begun })
    }
    switch answer.value {
    case .plan(let plan): try await send(.with { $0.explainMetrics = plan.message })
    case .results(let figures, let explanation):
      context.work?.note(figures.statistics)
      var response = V1.RunAggregationQueryResponse()
      response.result.aggregateFields = figures.values.map { V1.FieldEntry($0.alias, $0.value) }
      response.readTime = answer.readTime.message
      try await send(response)
      guard let metrics = explanation?.message else { return }
      try await send(.with { $0.explainMetrics = metrics })
    }
  }
}

/// Extent to which a query is explained (§9.2).
private enum ExplainedExtent {
  case nothing
  /// The plan, without running the query.
  case plan
  /// The plan and the work, beside the results.
  case run

  init(_ options: V1.ExplainOptions?) {
    self =
      switch options?.analyze {
      case nil: .nothing
      case false?: .plan
      case true?: .run
      }
  }
}

/// The results of a query, with the explanation of their run if it was asked for, or the plan
/// alone.
private enum QueryOutcome<Results: Sendable>: Sendable {
  case plan(QueryExplanation)
  case results(Results, QueryExplanation?)
}

extension Query {
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
