public import HearthDocumentModel
import HearthQueryPlanning

// The refinements of a query by the text of a path, for a `FieldPath`: one made of names, or
// `FieldPath.documentID`. It can't be malformed, so they don't throw.
extension QueryBuilding {
  /// Sorts by `field`, after the fields of earlier orders. Documents without the field are left out
  /// (§4.5).
  public consuming func order(by field: FieldPath, descending: Bool = false) -> Query {
    changed { $0.structuredQuery.addOrder(Order(field, descending ? .descending : .ascending)) }
  }

  // MARK: Filters

  /// Keeps only documents whose `field` equals `value`.
  public consuming func whereField(_ field: FieldPath, isEqualTo value: Value) -> Query {
    whereFilter(.whereField(field, isEqualTo: value))
  }

  /// Keeps only documents whose `field` is neither `value` nor null.
  public consuming func whereField(_ field: FieldPath, isNotEqualTo value: Value) -> Query {
    whereFilter(.whereField(field, isNotEqualTo: value))
  }

  /// Keeps only documents whose `field` is less than `value`.
  public consuming func whereField(_ field: FieldPath, isLessThan value: Value) -> Query {
    whereFilter(.whereField(field, isLessThan: value))
  }

  /// Keeps only documents whose `field` is `value` or less.
  public consuming func whereField(_ field: FieldPath, isLessThanOrEqualTo value: Value) -> Query {
    whereFilter(.whereField(field, isLessThanOrEqualTo: value))
  }

  /// Keeps only documents whose `field` is greater than `value`.
  public consuming func whereField(_ field: FieldPath, isGreaterThan value: Value) -> Query {
    whereFilter(.whereField(field, isGreaterThan: value))
  }

  /// Keeps only documents whose `field` is `value` or greater.
  public consuming func whereField(_ field: FieldPath, isGreaterThanOrEqualTo value: Value) -> Query
  {
    whereFilter(.whereField(field, isGreaterThanOrEqualTo: value))
  }

  /// Keeps only documents whose `field` is one of `values`.
  public consuming func whereField(_ field: FieldPath, in values: [Value]) -> Query {
    whereFilter(.whereField(field, in: values))
  }

  /// Keeps only documents whose `field` is none of `values`, and not null.
  public consuming func whereField(_ field: FieldPath, notIn values: [Value]) -> Query {
    whereFilter(.whereField(field, notIn: values))
  }

  /// Keeps only documents whose `field` is an array that contains `value`.
  public consuming func whereField(_ field: FieldPath, arrayContains value: Value) -> Query {
    whereFilter(.whereField(field, arrayContains: value))
  }

  /// Keeps only documents whose `field` is an array that contains one of `values`.
  public consuming func whereField(_ field: FieldPath, arrayContainsAny values: [Value]) -> Query {
    whereFilter(.whereField(field, arrayContainsAny: values))
  }
}

extension StructuredQuery {
  fileprivate mutating func addOrder(_ order: Order) {
    // Most queries have one order, and making a list of one is faster than growing an empty list.
    if orders.isEmpty { orders = [order] } else { orders.append(order) }
  }
}
