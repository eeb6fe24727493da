import Hearth

/// The filters of queries. `field` is a text whose dots lead into maps, or a ``FieldPath``.
extension Query {
  /// Only documents that satisfy `filter`, which may nest alternatives in any way (§4.2).
  public func whereFilter(_ filter: Filter) -> Query {
    refined { query in
      let condition = try filter.condition.get()
      try condition.checkDocumentIDs()
      return query.whereFilter(condition)
    }
  }

  /// Only documents that have `value` in it; `NSNull()` finds null (§2.4).
  public func whereField(_ field: String, isEqualTo value: Any) -> Query {
    whereFilter(.whereField(field, isEqualTo: value))
  }

  /// Only documents whose field equals `value`; null and NaN find themselves.
  public func whereField(_ path: FieldPath, isEqualTo value: Any) -> Query {
    whereFilter(.whereField(path, isEqualTo: value))
  }

  /// Only documents that have another value than `value` in it, and not null (§2.4).
  public func whereField(_ field: String, isNotEqualTo value: Any) -> Query {
    whereFilter(.whereField(field, isNotEqualTo: value))
  }

  /// Only documents whose field is there, not null, and not equal to `value`.
  public func whereField(_ path: FieldPath, isNotEqualTo value: Any) -> Query {
    whereFilter(.whereField(path, isNotEqualTo: value))
  }

  /// Only documents that are less than `value` in it, and of its type class (§2.5).
  public func whereField(_ field: String, isLessThan value: Any) -> Query {
    whereFilter(.whereField(field, isLessThan: value))
  }

  /// Only documents whose field is less than `value`, and of its type.
  public func whereField(_ path: FieldPath, isLessThan value: Any) -> Query {
    whereFilter(.whereField(path, isLessThan: value))
  }

  /// Only documents that are `value` or less in it, and of its type class (§2.5).
  public func whereField(_ field: String, isLessThanOrEqualTo value: Any) -> Query {
    whereFilter(.whereField(field, isLessThanOrEqualTo: value))
  }

  /// Only documents whose field is at most `value`, and of its type.
  public func whereField(_ path: FieldPath, isLessThanOrEqualTo value: Any) -> Query {
    whereFilter(.whereField(path, isLessThanOrEqualTo: value))
  }

  /// Only documents that are greater than `value` in it, and of its type class (§2.5).
  public func whereField(_ field: String, isGreaterThan value: Any) -> Query {
    whereFilter(.whereField(field, isGreaterThan: value))
  }

  /// Only documents whose field is greater than `value`, and of its type.
  public func whereField(_ path: FieldPath, isGreaterThan value: Any) -> Query {
    whereFilter(.whereField(path, isGreaterThan: value))
  }

  /// Only documents that are `value` or greater in it, and of its type class (§2.5).
  public func whereField(_ field: String, isGreaterThanOrEqualTo value: Any) -> Query {
    whereFilter(.whereField(field, isGreaterOrEqualTo: value))
  }

  /// Only documents whose field is at least `value`, and of its type.
  public func whereField(_ path: FieldPath, isGreaterThanOrEqualTo value: Any) -> Query {
    whereFilter(.whereField(path, isGreaterOrEqualTo: value))
  }

  /// Only documents that have an array with the element `value` in it.
  public func whereField(_ field: String, arrayContains value: Any) -> Query {
    whereFilter(.whereField(field, arrayContains: value))
  }

  /// Only documents whose array has `value`.
  public func whereField(_ path: FieldPath, arrayContains value: Any) -> Query {
    whereFilter(.whereField(path, arrayContains: value))
  }

  /// Only documents that have an array with one of `values`, up to 30, in it.
  public func whereField(_ field: String, arrayContainsAny values: [Any]) -> Query {
    whereFilter(.whereField(field, arrayContainsAny: values))
  }

  /// Only documents whose array has one of `values`, of up to 30.
  public func whereField(_ path: FieldPath, arrayContainsAny values: [Any]) -> Query {
    whereFilter(.whereField(path, arrayContainsAny: values))
  }

  /// Only documents that have one of `values`, up to 30, in it.
  public func whereField(_ field: String, in values: [Any]) -> Query {
    whereFilter(.whereField(field, in: values))
  }

  /// Only documents whose field equals one of `values`, of up to 30.
  public func whereField(_ path: FieldPath, in values: [Any]) -> Query {
    whereFilter(.whereField(path, in: values))
  }

  /// Only documents that have a value in it that is none of `values`, up to 10, and not null
  /// (§2.4).
  public func whereField(_ field: String, notIn values: [Any]) -> Query {
    whereFilter(.whereField(field, notIn: values))
  }

  /// Only documents whose field is there, not null, and equals none of `values`, of up to 10.
  public func whereField(_ path: FieldPath, notIn values: [Any]) -> Query {
    whereFilter(.whereField(path, notIn: values))
  }
}
