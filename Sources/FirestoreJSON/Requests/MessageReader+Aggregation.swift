import HearthDocumentModel
import HearthQueryPlanning

extension MessageType {
  private static let operators = ["count", "sum", "avg"]

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
