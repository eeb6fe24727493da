package import AdminSocket
package import DocumentModel
package import FirestoreJSON
package import QueryPlanning

/// Explains a query, and perhaps runs it.
package struct ExplainCall: DatabaseCall {
  /// What is wanted beside the plan.
  package enum Extent: String, Sendable {
    case plan
    /// What running the query takes.
    case run
    /// That, and its results: documents are the items, figures stand in the answer.
    case answer
  }

  package typealias Item = DocumentMessage
  package static let name = "explain"
  package static var hasManyItems: Bool { true }

  package let query: RunnableQuery
  /// Figures over the results to compute, in place of the results.
  package let aggregations: [Aggregation]
  package let extent: Extent
  /// The moment to see; `nil` is the present.
  package let readTime: Timestamp?

  package struct Answer: AdminObject {
    package let explanation: QueryExplanation
    package let figures: Figures
    package let readTime: Timestamp
  }

  package init(
    _ query: RunnableQuery, aggregating aggregations: [Aggregation] = [], _ extent: Extent,
    at readTime: Timestamp? = nil
  ) {
    self.query = query
    self.aggregations = aggregations
    self.extent = extent
    self.readTime = readTime
  }

  package func perform(
    on database: Database, _ send: (DocumentMessage) throws -> Void
  ) throws -> Answer {
    let snapshot = try database.snapshot(atOptional: readTime)
    guard extent == .answer else {
      let explanation = try database.query(query.query).explain(
        aggregating: aggregations, running: extent == .run)
      return Answer(
        explanation: explanation, figures: Figures([]), readTime: snapshot.readTime)
    }
    let answer = try snapshot.explainedAnswer(to: query.query, aggregating: aggregations)
    let id = try database.id()
    for document in answer.documents { try send(DocumentMessage(document, in: id)) }
    return Answer(
      explanation: answer.explanation, figures: Figures(answer.figures),
      readTime: snapshot.readTime)
  }
}

/// Tells why a query does not use the other indexes of its collection; one that is refused, too.
package struct IndexesNotUsedCall: DatabaseCall {
  package typealias Item = AdminNothing
  package typealias Answer = AdminList<QueryExplanation.UnusedIndex>
  package static let name = "indexes not used"

  package let query: RunnableQuery
  package let aggregations: [Aggregation]

  package init(_ query: RunnableQuery, aggregating aggregations: [Aggregation]) {
    self.query = query
    self.aggregations = aggregations
  }

  package func perform(
    on database: Database, _ send: (AdminNothing) throws -> Void
  ) throws -> AdminList<QueryExplanation.UnusedIndex> {
    AdminList(try database.query(query.query).indexesNotUsed(aggregating: aggregations))
  }
}
