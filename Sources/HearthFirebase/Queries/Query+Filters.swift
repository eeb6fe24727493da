import Hearth

/// Filters of queries. `field` is a text whose dots separate the names of nested maps, or a
/// ``FieldPath``.
extension Query {
  /// Keeps only documents that satisfy `filter`, which may nest alternatives in any way (§4.2).
  public func whereFilter(_ filter: Filter) -> Query {
    refined { query in
      let condition = try filter.condition.get()
      try condition.checkDocumentIDs()
      return query.whereFilter(condition)
    }
  }

  /// Keeps only documents whose field equals `value`; `NSNull()` matches null (§2.4).
  public func whereField(_ field: String, isEqualTo value: Any) -> Query {
    whereFilter(.whereField(field, isEqualTo: value))
  }

  /// Keeps only documents whose field equals `value`; null matches null, and NaN matches NaN.
  public func whereField(_ path: FieldPath, isEqualTo value: Any) -> Query {
    whereFilter(.whereField(path, isEqualTo: value))
  }

  /// Keeps only documents whose field has a value other than `value` and null (§2.4).
  public func whereField(_ field: String, isNotEqualTo value: Any) -> Query {
    whereFilter(.whereField(field, isNotEqualTo: value))
  }

  /// Keeps only documents whose field has a value other than `value` and null.
  public func whereField(_ path: FieldPath, isNotEqualTo value: Any) -> Query {
    whereFilter(.whereField(path, isNotEqualTo: value))
  }

  /// Keeps only documents whose field is less than `value`, and of its type class (§2.5).
  public func whereField(_ field: String, isLessThan value: Any) -> Query {
    whereFilter(.whereField(field, isLessThan: value))
  }

  /// Keeps only documents whose field is less than `value`, and of its type class.
  public func whereField(_ path: FieldPath, isLessThan value: Any) -> Query {
    whereFilter(.whereField(path, isLessThan: value))
  }

  /// Keeps only documents whose field is `value` or less, and of its type class (§2.5).
  public func whereField(_ field: String, isLessThanOrEqualTo value: Any) -> Query {
    whereFilter(.whereField(field, isLessThanOrEqualTo: value))
  }

  /// Keeps only documents whose field is `value` or less, and of its type class.
  public func whereField(_ path: FieldPath, isLessThanOrEqualTo value: Any) -> Query {
    whereFilter(.whereField(path, isLessThanOrEqualTo: value))
  }

  /// Keeps only documents whose field is greater than `value`, and of its type class (§2.5).
  public func whereField(_ field: String, isGreaterThan value: Any) -> Query {
    whereFilter(.whereField(field, isGreaterThan: value))
  }

  /// Keeps only documents whose field is greater than `value`, and of its type class.
  public func whereField(_ path: FieldPath, isGreaterThan value: Any) -> Query {
    whereFilter(.whereField(path, isGreaterThan: value))
  }

  /// Keeps only documents whose field is `value` or greater, and of its type class (§2.5).
  public func whereField(_ field: String, isGreaterThanOrEqualTo value: Any) -> Query {
    whereFilter(.whereField(field, isGreaterOrEqualTo: value))
  }

  /// Keeps only documents whose field is `value` or greater, and of its type class.
  public func whereField(_ path: FieldPath, isGreaterThanOrEqualTo value: Any) -> Query {
    whereFilter(.whereField(path, isGreaterOrEqualTo: value))
  }

  /// Keeps only documents that have an array with the element `value` in the field.
  public func whereField(_ field: String, arrayContains value: Any) -> Query {
    whereFilter(.whereField(field, arrayContains: value))
  }

  /// Keeps only documents whose array contains `value`.
  public func whereField(_ path: FieldPath, arrayContains value: Any) -> Query {
    whereFilter(.whereField(path, arrayContains: value))
  }

  /// Keeps only documents that have an array with one of `values`, up to 30, in the field.
  public func whereField(_ field: String, arrayContainsAny values: [Any]) -> Query {
    whereFilter(.whereField(field, arrayContainsAny: values))
  }

  /// Keeps only documents whose array contains one of `values`, up to 30.
  public func whereField(_ path: FieldPath, arrayContainsAny values: [Any]) -> Query {
    whereFilter(.whereField(path, arrayContainsAny: values))
  }

  /// Keeps only documents that have one of `values`, up to 30, in the field.
  public func whereField(_ field: String, in values: [Any]) -> Query {
    whereFilter(.whereField(field, in: values))
  }

  /// Keeps only documents whose field equals one of `values`, up to 30.
  public func whereField(_ path: FieldPath, in values: [Any]) -> Query {
    whereFilter(.whereField(path, in: values))
  }

  /// Keeps only documents whose field has a value that is neither null nor one of `values`, up to
  /// 10 (§2.4).
  public func whereField(_ field: String, notIn values: [Any]) -> Query {
    whereFilter(.whereField(field, notIn: values))
  }

  /// Keeps only documents whose field has a value that is neither null nor one of `values`, up to
  /// 10.
  public func whereField(_ path: FieldPath, notIn values: [Any]) -> Query {
    whereFilter(.whereField(path, notIn: values))
  }
}
