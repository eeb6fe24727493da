import HearthDocumentModel
import HearthProtocols
import HearthQueryPlanning
import SwiftProtobuf

extension StructuredQuery {
  /// Reads a `StructuredQuery` (§4.1).
  ///
  /// - Throws: `invalidArgument` in production's words (§6.1) for a malformed part. Planning checks
  ///   the query as a whole.
  init(
    _ message: V1.StructuredQuery, below parent: ResourcePath
  ) throws(DatabaseError) {
    guard message.from.count <= 1 else {
      throw DatabaseError.invalidArgument(
        "StructuredQuery.from cannot have more than one collection selector.")
    }
    self.init(
      collectionID: message.from.first?.collectionID ?? "", below: parent,
      allDescendants: message.from.first?.allDescendants ?? false)
    if message.hasSelect {
      projection = try FieldPath.list(message.select.fields.map(\.fieldPath))
    }
    if message.hasWhere { filter = try Filter(message.where) }
    for order in message.orderBy { orders.append(try Order(order)) }
    if message.hasStartAt { start = try Cursor(message.startAt) }
    if message.hasEndAt { end = try Cursor(message.endAt) }
    offset = Int(message.offset)
    if message.hasLimit { limit = Int(message.limit.value) }
    if message.hasFindNearest { nearest = try NearestNeighbors(message.findNearest) }
  }
}

extension Order {
  fileprivate init(_ message: V1.StructuredQuery.Order) throws(DatabaseError) {
    let path = try FieldPath(message.field.fieldPath)
    if case .UNRECOGNIZED = message.direction {
      throw DatabaseError.invalidArgument("Unknown Order direction.")
    }
    self.init(path, message.direction == .descending ? .descending : .ascending)
  }
}

extension Cursor {
  fileprivate init(_ message: V1.Cursor) throws(DatabaseError) {
    self.init(try Value.list(message.values), isBefore: message.before)
  }
}

extension NearestNeighbors {
  fileprivate init(_ message: V1.StructuredQuery.FindNearest) throws(DatabaseError) {
    let field = try FieldPath(message.vectorField.fieldPath)
    guard case .vector(let elements) = try Value(message.queryVector) else {
      throw DatabaseError.invalidArgument("Query Value must be of type vector.")
    }
    let measure: Measure
    switch message.distanceMeasure {
    case .euclidean: measure = .euclidean
    case .cosine: measure = .cosine
    case .dotProduct: measure = .dotProduct
    case .unspecified, .UNRECOGNIZED:
      throw DatabaseError.invalidArgument("Unknown Distance Measure.")
    }
    self.init(field, to: elements, by: measure, limit: Int(message.limit.value))
    let name = message.distanceResultField
    if !name.isEmpty { distanceField = name }
    if message.hasDistanceThreshold { threshold = message.distanceThreshold.value }
  }
}

extension AggregationQuery {
  /// Reads a `StructuredAggregationQuery`. If it contains no query, it is about every collection
  /// (§9.1).
  ///
  /// - Throws: `invalidArgument` in production's words.
  init(
    _ message: V1.StructuredAggregationQuery, below parent: ResourcePath
  ) throws(DatabaseError) {
    self.init(try StructuredQuery(message.structuredQuery, below: parent), [])
    for aggregation in message.aggregations { aggregations.append(try Aggregation(aggregation)) }
  }
}

extension Aggregation {
  fileprivate init(
    _ message: V1.StructuredAggregationQuery.Aggregation
  ) throws(DatabaseError) {
    let figure: Operator
    switch message.operator {
    case .count(let count):
      figure = .count(upTo: count.hasUpTo ? Int(count.upTo.value) : nil)
    case .sum(let sum): figure = .sum(try FieldPath(sum.field.fieldPath))
    case .avg(let average): figure = .average(try FieldPath(average.field.fieldPath))
    case nil:
      throw DatabaseError.invalidArgument("Operator field in Aggregation is not set.")
    }
    self.init(figure, as: message.alias.isEmpty ? nil : message.alias)
  }
}
