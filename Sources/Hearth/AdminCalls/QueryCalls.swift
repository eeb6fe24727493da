package import HearthAdminSocket
package import HearthDocumentModel
package import HearthFirestoreJSON
package import HearthQueryPlanning

/// A query as it runs: reversed if it is limited to its last results.
package struct RunnableQuery: Codable, Sendable {
  private enum CodingKeys: String, CodingKey { case parent, query, isReversed }

  package let query: StructuredQuery
  /// Whether results come in the reverse of the requested order.
  package let isReversed: Bool

  /// - Throws: `invalidArgument` for values that are nested too deep for a message.
  package init(_ query: StructuredQuery) throws(DatabaseError) {
    try query.checkNesting()
    self.query = query
    isReversed = false
  }

  /// - Throws: `unimplemented` for a query limited to its last results without an order;
  ///   `invalidArgument` for values that are nested too deep for a message.
  package init(_ query: Query) throws(DatabaseError) {
    self.query = try query.runnable()
    try self.query.checkNesting()
    isReversed = query.lastCount != nil
  }

  package init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    let parent = try members.decode([String].self, forKey: .parent)
    query = try TypedJSON.query(
      members.decode(JSONValue.self, forKey: .query),
      below: parent.isEmpty ? .root : ResourcePath(segments: parent))
    isReversed = try members.decode(Bool.self, forKey: .isReversed)
  }

  package func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(query.parent.segments, forKey: .parent)
    try members.encode(JSONValue(parsing: Array(query.json.utf8)), forKey: .query)
    try members.encode(isReversed, forKey: .isReversed)
  }
}

extension StructuredQuery {
  /// - Throws: `invalidArgument` if a value is nested deeper than a message's JSON may be.
  fileprivate func checkNesting() throws(DatabaseError) {
    do {
      // A message adds three objects around the query.
      _ = try JSONValue(parsing: Array("[[[\(json)]]]".utf8))
    } catch {
      throw DatabaseError(
        .invalidArgument, "The query's values lie nested too deep.", cause: error)
    }
  }
}

/// Runs a query: its documents are the items.
package struct QueryCall: DatabaseCall {
  package typealias Item = DocumentMessage
  package static let name = "query"
  package static var hasManyItems: Bool { true }

  package let query: RunnableQuery
  /// Time of the snapshot to read; `nil` is the present.
  package let readTime: Timestamp?

  package struct Answer: Codable, Sendable {
    package let statistics: QueryStatistics
    package let readTime: Timestamp
  }

  package init(_ query: RunnableQuery, at readTime: Timestamp? = nil) {
    self.query = query
    self.readTime = readTime
  }

  package func perform(
    on database: Database, _ send: (DocumentMessage) throws -> Void
  ) throws -> Answer {
    let snapshot = try database.snapshot(atOptional: readTime)
    let id = try database.id()
    if query.isReversed {
      let results = try snapshot.getDocuments(database.query(query.query))
      for document in results.documents.reversed() { try send(DocumentMessage(document, in: id)) }
      return Answer(statistics: results.statistics, readTime: snapshot.readTime)
    }
    var failure: (any Error)?
    let statistics = try database.query(query.query).forEachDocument(in: snapshot.view, nil) {
      document in
      do {
        try send(DocumentMessage(document, in: id))
      } catch {
        failure = error
      }
      return failure == nil
    }
    if let failure { throw failure }
    return Answer(statistics: statistics, readTime: snapshot.readTime)
  }
}

/// Counts the results of a query.
package struct CountCall: AnsweredCall {
  package typealias Answer = AdminCount
  package static let name = "count"

  package let query: RunnableQuery
  /// Time of the snapshot to read; `nil` is the present.
  package let readTime: Timestamp?

  package init(_ query: RunnableQuery, at readTime: Timestamp? = nil) {
    self.query = query
    self.readTime = readTime
  }

  package func answer(from database: Database) throws -> AdminCount {
    let snapshot = try database.snapshot(atOptional: readTime)
    return AdminCount(try snapshot.count(database.query(query.query)))
  }
}

/// Computes figures over the results of a query.
package struct AggregateCall: AnsweredCall {
  package static let name = "aggregate"

  package let query: RunnableQuery
  private let aggregations: Aggregations
  /// Time of the snapshot to read; `nil` is the present.
  package let readTime: Timestamp?

  package struct Answer: Codable, Sendable {
    package let figures: Figures
    package let readTime: Timestamp
  }

  package init(
    _ aggregations: [Aggregation], of query: RunnableQuery, at readTime: Timestamp? = nil
  ) {
    self.query = query
    self.aggregations = Aggregations(list: aggregations)
    self.readTime = readTime
  }

  package func answer(from database: Database) throws -> Answer {
    let snapshot = try database.snapshot(atOptional: readTime)
    let figures = try snapshot.aggregate(aggregations.list, of: database.query(query.query))
    return Answer(figures: Figures(figures.values), readTime: snapshot.readTime)
  }
}

/// Figures to compute, as messages have them; the query that they are over stands elsewhere.
struct Aggregations: AdminLeaf, Sendable {
  let list: [Aggregation]

  init(list: [Aggregation]) {
    self.list = list
  }

  init(json: JSONValue) throws(DatabaseError) {
    list = try TypedJSON.aggregationQuery(
      .object([("aggregations", json)]), below: .root
    ).aggregations
  }

  func appendJSON(to bytes: inout [UInt8]) { TypedJSON.append(list, to: &bytes) }
}

/// Figures in the order of the request.
package struct Figures: Codable, Sendable {
  private enum CodingKeys: String, CodingKey { case list = "values" }

  private let list: [Figure]

  private struct Figure: Codable {
    let alias: String
    let value: Value
  }

  init(_ figures: [(alias: String, value: Value)]) {
    list = figures.map(Figure.init)
  }

  package var values: [(alias: String, value: Value)] { list.map { ($0.alias, $0.value) } }
}

extension Value: AdminLeaf {
  package init(json: JSONValue) throws(DatabaseError) { self = try TypedJSON.value(json) }
  package func appendJSON(to bytes: inout [UInt8]) { TypedJSON.append(self, to: &bytes) }
}

extension Database {
  func snapshot(atOptional time: Timestamp?) throws(DatabaseError) -> DatabaseSnapshot {
    guard let time else { return try snapshot() }
    return try snapshot(at: time)
  }
}

extension DocumentMessage {
  /// Creates a message with the document under its full name.
  ///
  /// - Throws: `dataLoss` if the stored bytes are damaged.
  package init(
    _ document: DocumentSnapshot, in database: DatabaseID
  ) throws(DatabaseError) {
    self.init(
      name: DocumentName(unchecked: document.reference.path, in: database),
      fields: try document.data() ?? MapValue(), createTime: document.createTime,
      updateTime: document.updateTime)
  }
}
