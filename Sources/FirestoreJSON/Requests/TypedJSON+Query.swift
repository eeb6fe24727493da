import HearthDocumentModel
public import HearthQueryPlanning

// Queries as messages, in the form that `LoggedQuery` reads. Parts with their default are left out.

extension StructuredQuery {
  /// The query as a `StructuredQuery` on one line. It doesn't contain the parent, which the
  /// request's address names.
  public var json: String {
    var bytes: [UInt8] = []
    TypedJSON.append(self, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension AggregationQuery {
  /// The query as a `StructuredAggregationQuery` on one line, without the parent.
  public var json: String {
    var bytes: [UInt8] = []
    TypedJSON.append(self, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension TypedJSON {
  /// Appends a `StructuredQuery` on one line.
  public static func append(_ query: StructuredQuery, to bytes: inout [UInt8]) {
    bytes.appendMembers { members in
      appendSource(of: query, to: &members)
      if let projection = query.projection {
        members.member("select") { bytes in
          bytes.append("{\"fields\":")
          bytes.appendArray(projection) { append(fieldReference: $1, to: &$0) }
          bytes.append("}")
        }
      }
      if let filter = query.filter { members.member("where") { append(filter, to: &$0) } }
      if !query.orders.isEmpty {
        members.member("orderBy") { $0.appendArray(query.orders) { append($1, to: &$0) } }
      }
      if let start = query.start { members.member("startAt") { append(start, to: &$0) } }
      if let end = query.end { members.member("endAt") { append(end, to: &$0) } }
      if query.offset != 0 { members.member("offset") { $0.append(query.offset.description) } }
      if let limit = query.limit { members.member("limit") { $0.append(limit.description) } }
      if let nearest = query.nearest {
        members.member("findNearest") { append(nearest, to: &$0) }
      }
    }
  }

  private static func appendSource(of query: StructuredQuery, to members: inout JSONMembers) {
    if query.collectionID.isEmpty, !query.allDescendants { return }
    members.member("from") { bytes in
      bytes.appendArray([query]) { bytes, query in
        bytes.appendMembers { members in
          if !query.collectionID.isEmpty {
            members.member("collectionId") { $0.appendJSON(query.collectionID) }
          }
          if query.allDescendants { members.member("allDescendants") { $0.append("true") } }
        }
      }
    }
  }

  private static func append(fieldReference path: FieldPath, to bytes: inout [UInt8]) {
    bytes.append("{\"fieldPath\":")
    bytes.appendJSON(path.description)
    bytes.append("}")
  }

  private static func append(_ order: Order, to bytes: inout [UInt8]) {
    bytes.append("{\"field\":")
    append(fieldReference: order.field, to: &bytes)
    bytes.append(",\"direction\":")
    bytes.appendJSON(order.direction == .ascending ? "ASCENDING" : "DESCENDING")
    bytes.append("}")
  }

  private static func append(_ cursor: Cursor, to bytes: inout [UInt8]) {
    bytes.append("{\"values\":")
    bytes.appendArray(cursor.values) { append($1, to: &$0) }
    if cursor.isBefore { bytes.append(",\"before\":true") }
    bytes.append("}")
  }

  private static func append(_ filter: Filter, to bytes: inout [UInt8]) {
    switch filter {
    case .field(let path, let comparison, let value):
      bytes.append("{\"fieldFilter\":{\"field\":")
      append(fieldReference: path, to: &bytes)
      bytes.append(",\"op\":\"\(comparison.protocolName)\",\"value\":")
      append(value, to: &bytes)
    case .unary(let path, let test):
      bytes.append("{\"unaryFilter\":{\"op\":\"\(FilterMessage.name(of: test))\",\"field\":")
      append(fieldReference: path, to: &bytes)
    case .and(let filters): append("AND", filters, to: &bytes)
    case .or(let filters): append("OR", filters, to: &bytes)
    }
    bytes.append("}}")
  }

  private static func append(
    _ compositeOperator: String, _ filters: [Filter], to bytes: inout [UInt8]
  ) {
    bytes.append("{\"compositeFilter\":{\"op\":\"\(compositeOperator)\",\"filters\":")
    bytes.appendArray(filters) { append($1, to: &$0) }
  }

  private static func append(_ nearest: NearestNeighbors, to bytes: inout [UInt8]) {
    bytes.appendMembers { members in
      members.member("vectorField") { append(fieldReference: nearest.field, to: &$0) }
      members.member("queryVector") { append(Value.vector(nearest.vector), to: &$0) }
      members.member("distanceMeasure") { $0.appendJSON(nearest.measure.rawValue) }
      members.member("limit") { $0.append(nearest.limit.description) }
      if let name = nearest.distanceField {
        members.member("distanceResultField") { $0.appendJSON(name) }
      }
      if let threshold = nearest.threshold {
        members.member("distanceThreshold") { $0.append(text(threshold)) }
      }
    }
  }

  /// Appends a `StructuredAggregationQuery` on one line.
  public static func append(_ query: AggregationQuery, to bytes: inout [UInt8]) {
    bytes.append("{\"structuredQuery\":")
    append(query.query, to: &bytes)
    bytes.append(",\"aggregations\":")
    append(query.aggregations, to: &bytes)
    bytes.append("}")
  }

  /// Appends the figures of a `StructuredAggregationQuery` as a list.
  package static func append(_ aggregations: [Aggregation], to bytes: inout [UInt8]) {
    bytes.appendArray(aggregations) { append($1, to: &$0) }
  }

  private static func append(_ aggregation: Aggregation, to bytes: inout [UInt8]) {
    bytes.appendMembers { members in
      switch aggregation.operator {
      case .count(let limit):
        members.member("count") { bytes in
          bytes.append(limit.map { "{\"upTo\":\"\($0)\"}" } ?? "{}")
        }
      case .sum(let field):
        members.member("sum") { append(aggregatedField: field, to: &$0) }
      case .average(let field):
        members.member("avg") { append(aggregatedField: field, to: &$0) }
      }
      if let alias = aggregation.alias { members.member("alias") { $0.appendJSON(alias) } }
    }
  }

  private static func append(aggregatedField field: FieldPath, to bytes: inout [UInt8]) {
    bytes.append("{\"field\":")
    append(fieldReference: field, to: &bytes)
    bytes.append("}")
  }
}
