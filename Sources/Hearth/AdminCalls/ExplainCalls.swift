package import HearthAdminSocket
package import HearthDocumentModel
package import HearthFirestoreJSON
package import HearthQueryPlanning

/// Explains a query, and perhaps runs it.
package struct ExplainCall: DatabaseCall {
  /// Extent of an explanation.
  package enum Extent: String, Codable, Sendable {
    case plan
    /// The plan, and the work of running the query.
    case run
    /// The plan, the work and the results: documents are the items, figures are in the answer.
    case answer
  }

  package typealias Item = DocumentMessage
  package static let name = "explain"
  package static var hasManyItems: Bool { true }

  package let query: RunnableQuery
  /// Figures over the results to compute instead of returning the results.
  private let aggregations: Aggregations
  package let extent: Extent
  /// Time of the snapshot to read; `nil` is the present.
  package let readTime: Timestamp?

  package struct Answer: Codable, Sendable {
    package let explanation: QueryExplanation
    package let figures: Figures
    package let readTime: Timestamp
  }

  package init(
    _ query: RunnableQuery, aggregating aggregations: [Aggregation] = [], _ extent: Extent,
    at readTime: Timestamp? = nil
  ) {
    self.query = query
    self.aggregations = Aggregations(list: aggregations)
    self.extent = extent
    self.readTime = readTime
  }

  package func perform(
    on database: Database, _ send: (DocumentMessage) throws -> Void
  ) throws -> Answer {
    let snapshot = try database.snapshot(atOptional: readTime)
    guard extent == .answer else {
      let explanation = try database.query(query.query).explain(
        aggregating: aggregations.list, running: extent == .run)
      return Answer(
        explanation: explanation, figures: Figures([]), readTime: snapshot.readTime)
    }
    guard aggregations.list.isEmpty else {
      let answer = try snapshot.explainedFigures(
        aggregations.list, of: database.query(query.query))
      return Answer(
        explanation: answer.explanation, figures: Figures(answer.results.values),
        readTime: snapshot.readTime)
    }
    let answer = try snapshot.explainedPage(of: query.query)
    let id = try database.id()
    let page = answer.results
    for document in page.results.documents { try send(DocumentMessage(document, in: id)) }
    if page.hasMore {
      var pages = try snapshot.pages(of: query.query, after: page)
      while let documents = try pages.next() {
        for document in documents { try send(DocumentMessage(document, in: id)) }
      }
    }
    return Answer(
      explanation: answer.explanation, figures: Figures([]), readTime: snapshot.readTime)
  }
}

/// Reports why a query, even one that is refused, does not use the other indexes of its collection.
package struct IndexesNotUsedCall: AnsweredCall {
  package typealias Answer = AdminList<QueryExplanation.UnusedIndex>
  package static let name = "indexes not used"

  package let query: RunnableQuery
  private let aggregations: Aggregations

  package init(_ query: RunnableQuery, aggregating aggregations: [Aggregation]) {
    self.query = query
    self.aggregations = Aggregations(list: aggregations)
  }

  package func answer(from database: Database) throws -> AdminList<QueryExplanation.UnusedIndex> {
    AdminList(try database.query(query.query).indexesNotUsed(aggregating: aggregations.list))
  }
}
