public import DocumentModel
import QueryPlanning

// What refines a query by the text of a path, by a path: of names that were put together, or
// `FieldPath.documentID`. It can't be malformed, so nothing is thrown.
extension QueryBuilding {
  /// Sorts by `field`, behind the fields sorted by so far. Documents without it are left out
  /// (§4.5).
  public func order(by field: FieldPath, descending: Bool = false) -> Query {
    var query = query
    query.structuredQuery.addOrder(Order(field, descending ? .descending : .ascending))
    return query
  }

  // MARK: Filters

  /// The same with a path that is no text.
  public func whereField(_ field: FieldPath, isEqualTo value: Value) -> Query {
    whereFilter(.whereField(field, isEqualTo: value))
  }

  /// The same with a path that is no text.
  public func whereField(_ field: FieldPath, isNotEqualTo value: Value) -> Query {
    whereFilter(.whereField(field, isNotEqualTo: value))
  }

  /// The same with a path that is no text.
  public func whereField(_ field: FieldPath, isLessThan value: Value) -> Query {
    whereFilter(.whereField(field, isLessThan: value))
  }

  /// The same with a path that is no text.
  public func whereField(_ field: FieldPath, isLessThanOrEqualTo value: Value) -> Query {
    whereFilter(.whereField(field, isLessThanOrEqualTo: value))
  }

  /// The same with a path that is no text.
  public func whereField(_ field: FieldPath, isGreaterThan value: Value) -> Query {
    whereFilter(.whereField(field, isGreaterThan: value))
  }

  /// The same with a path that is no text.
  public func whereField(_ field: FieldPath, isGreaterThanOrEqualTo value: Value) -> Query {
    whereFilter(.whereField(field, isGreaterThanOrEqualTo: value))
  }

  /// The same with a path that is no text.
  public func whereField(_ field: FieldPath, in values: [Value]) -> Query {
    whereFilter(.whereField(field, in: values))
  }

  /// The same with a path that is no text.
  public func whereField(_ field: FieldPath, notIn values: [Value]) -> Query {
    whereFilter(.whereField(field, notIn: values))
  }

  /// The same with a path that is no text.
  public func whereField(_ field: FieldPath, arrayContains value: Value) -> Query {
    whereFilter(.whereField(field, arrayContains: value))
  }

  /// The same with a path that is no text.
  public func whereField(_ field: FieldPath, arrayContainsAny values: [Value]) -> Query {
    whereFilter(.whereField(field, arrayContainsAny: values))
  }
}

extension StructuredQuery {
  fileprivate mutating func addOrder(_ order: Order) {
    // Most queries have one, and a list of one is made faster than it grows.
    if orders.isEmpty { orders = [order] } else { orders.append(order) }
  }
}
