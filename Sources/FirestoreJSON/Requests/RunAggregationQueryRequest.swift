public import HearthDocumentModel
public import HearthQueryPlanning

/// The body of a `runAggregationQuery` request.
public struct RunAggregationQueryRequest: Sendable, Equatable {
  public var query: AggregationQuery
  public var explain: ExplainOptions?
  public var consistency: ReadConsistency?

  public init(
    _ query: AggregationQuery, explain: ExplainOptions? = nil,
    consistency: ReadConsistency? = nil
  ) {
    self.query = query
    self.explain = explain
    self.consistency = consistency
  }

  /// - Parameter parent: the parent that the request's address names.
  /// - Throws: `invalidArgument`, in production's words if they are known (§6.1, §9.1).
  public init(json: [UInt8], below parent: ResourcePath = .root) throws(DatabaseError) {
    self = try MessageReader.read(json) { reader, json throws(DatabaseError) in
      try reader.runAggregationQueryRequest(json, below: parent)
    }
  }
}

extension AggregationQuery {
  /// Reads a `StructuredAggregationQuery` without its request.
  ///
  /// - Throws: `invalidArgument`, in production's words if they are known (§6.1, §9.1).
  public init(json: [UInt8], below parent: ResourcePath = .root) throws(DatabaseError) {
    self = try MessageReader.read(json, at: "structured_aggregation_query") {
      reader, json throws(DatabaseError) in
      try reader.aggregationQuery(json, below: parent)
    }
  }
}

extension MessageType {
  private static let operators = ["count", "sum", "avg"]

  fileprivate static let runAggregationQueryRequest = MessageType(
    "RunAggregationQueryRequest",
    ["structuredAggregationQuery", "explainOptions"] + consistencyFields, oneofs: [consistency])
  fileprivate static let aggregationQuery = MessageType(
    "StructuredAggregationQuery", ["structuredQuery", "aggregations"])
  fileprivate static let aggregation = MessageType(
    "StructuredAggregationQuery.Aggregation", operators + ["alias"],
    oneofs: [Oneof(name: "operator", members: operators)])
  fileprivate static let count = MessageType(
    "StructuredAggregationQuery.Aggregation.Count", ["upTo"])
  fileprivate static let int64 = wrapper("Int64Value")
  fileprivate static let sum = MessageType(
    "StructuredAggregationQuery.Aggregation.Sum", ["field"])
}

extension MessageReader {
  mutating func runAggregationQueryRequest(
    _ json: JSONValue, below parent: ResourcePath
  ) throws(DatabaseError) -> RunAggregationQueryRequest {
    try expectMessage(json)
    var query: AggregationQuery?
    var request = RunAggregationQueryRequest(
      AggregationQuery(StructuredQuery(collectionID: "", below: parent), []))
    try message(json, .runAggregationQueryRequest) { reader, field, value throws(DatabaseError) in
      switch field {
      case "structuredAggregationQuery":
        query = try reader.aggregationQuery(value, below: parent)
      case "explainOptions": request.explain = try reader.explainOptions(value)
      default: request.consistency = try reader.consistency(field, value)
      }
    }
    if let query {
      request.query = query
    } else {
      refuse("Only structured aggregation queries are supported.")
    }
    return request
  }

  /// Reads a `StructuredAggregationQuery`. If it contains no query, it is about every collection
  /// (§9.1).
  mutating func aggregationQuery(
    _ json: JSONValue, below parent: ResourcePath
  ) throws(DatabaseError) -> AggregationQuery {
    var aggregation = AggregationQuery(StructuredQuery(collectionID: "", below: parent), [])
    try message(json, .aggregationQuery) { reader, field, value throws(DatabaseError) in
      if field == "structuredQuery" {
        aggregation.query = try reader.query(value, below: parent)
      } else {
        aggregation.aggregations = try reader.list(value, of: MessageType.aggregation.name) {
          reader, json throws(DatabaseError) in
          try reader.aggregation(json)
        }
      }
    }
    return aggregation
  }

  private mutating func aggregation(_ json: JSONValue) throws(DatabaseError) -> Aggregation {
    var figure: Aggregation.Operator?
    var alias: String?
    try message(json, .aggregation) { reader, field, value throws(DatabaseError) in
      switch field {
      case "count": figure = try reader.count(value)
      case "sum": figure = .sum(try reader.aggregatedField(value))
      case "avg": figure = .average(try reader.aggregatedField(value))
      default: alias = try reader.string(value)
      }
    }
    if figure == nil { refuse("Operator field in Aggregation is not set.") }
    return Aggregation(figure ?? .count(upTo: nil), as: alias)
  }

  private mutating func count(_ json: JSONValue) throws(DatabaseError) -> Aggregation.Operator {
    var limit: Int?
    try message(json, .count) { reader, _, value throws(DatabaseError) in
      let number = try reader.wrapped(value, .int64) { reader, json throws(DatabaseError) in
        try reader.integer(json)
      }
      limit = Int(number)
    }
    return .count(upTo: limit)
  }

  private mutating func aggregatedField(_ json: JSONValue) throws(DatabaseError) -> FieldPath {
    var field: JSONValue?
    try message(json, .sum) { _, _, value throws(DatabaseError) in field = value }
    return try reading(MessageField("field")) { reader throws(DatabaseError) in
      try reader.fieldReference(field)
    }
  }
}
