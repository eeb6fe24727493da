import Hearth

/// A condition on documents, which ``Query/whereFilter(_:)`` takes:
///
/// ```swift
/// let urgent = tasks.whereFilter(
///   .orFilter([
///     .whereField("priority", isGreaterThan: 3),
///     .whereField("due", isLessThan: Date()),
///   ]))
/// ```
public final class Filter: Sendable {
  /// Hearth's filter, or the error in it.
  let condition: Result<Hearth.Filter, DatabaseError>

  private init(_ condition: () throws(DatabaseError) -> Hearth.Filter) {
    self.condition = Result(catching: condition)
  }

  private convenience init(
    _ field: some FieldNaming, _ comparison: Hearth.Filter.Comparison, _ value: Any
  ) {
    self.init { () throws(DatabaseError) in
      try Filter.condition(field.storedPath(), comparison, AnyReader.argument(value))
    }
  }

  private convenience init(
    _ field: some FieldNaming, _ comparison: Hearth.Filter.Comparison, anyOf values: [Any]
  ) {
    self.init { () throws(DatabaseError) in
      .field(try field.storedPath(), comparison, .array(try AnyReader.arguments(values)))
    }
  }

  /// Returns a condition; comparisons with null and NaN become tests of their own (§2.4).
  private static func condition(
    _ field: Hearth.FieldPath, _ comparison: Hearth.Filter.Comparison, _ value: Value
  ) -> Hearth.Filter {
    switch (comparison, value) {
    case (.equal, .null): .unary(field, .isNull)
    case (.notEqual, .null): .unary(field, .isNotNull)
    case (.equal, _) where value.isNaN: .unary(field, .isNaN)
    case (.notEqual, _) where value.isNaN: .unary(field, .isNotNaN)
    default: .field(field, comparison, value)
    }
  }

  private static func conditions(
    of filters: [Filter]
  ) throws(DatabaseError) -> [Hearth.Filter] {
    var conditions: [Hearth.Filter] = []
    for filter in filters { conditions.append(try filter.condition.get()) }
    return conditions
  }

  // MARK: Compound

  /// Returns a filter that matches if all of `filters` match. An empty list is no condition.
  public static func andFilter(_ filters: [Filter]) -> Filter {
    Filter { () throws(DatabaseError) in .and(try conditions(of: filters)) }
  }

  /// Returns a filter that matches if at least one of `filters` matches.
  public static func orFilter(_ filters: [Filter]) -> Filter {
    Filter { () throws(DatabaseError) in .or(try conditions(of: filters)) }
  }
}

// The query's own methods document each condition.
extension Filter {
  /// Returns a filter for documents whose field equals `value`. Null matches null,
  /// and NaN matches NaN.
  public static func whereField(_ field: String, isEqualTo value: Any) -> Filter {
    Filter(field, .equal, value)
  }

  /// Returns a filter for documents whose field equals `value`. Null matches null,
  /// and NaN matches NaN.
  public static func whereField(_ path: FieldPath, isEqualTo value: Any) -> Filter {
    Filter(path, .equal, value)
  }

  /// Returns a filter for documents whose field has a value other than `value` and null.
  public static func whereField(_ field: String, isNotEqualTo value: Any) -> Filter {
    Filter(field, .notEqual, value)
  }

  /// Returns a filter for documents whose field has a value other than `value` and null.
  public static func whereField(_ path: FieldPath, isNotEqualTo value: Any) -> Filter {
    Filter(path, .notEqual, value)
  }

  /// Returns a filter for documents whose field is less than `value`, and of its type class.
  public static func whereField(_ field: String, isLessThan value: Any) -> Filter {
    Filter(field, .lessThan, value)
  }

  /// Returns a filter for documents whose field is less than `value`, and of its type class.
  public static func whereField(_ path: FieldPath, isLessThan value: Any) -> Filter {
    Filter(path, .lessThan, value)
  }

  /// Returns a filter for documents whose field is `value` or less, and of its type class.
  public static func whereField(_ field: String, isLessThanOrEqualTo value: Any) -> Filter {
    Filter(field, .lessThanOrEqual, value)
  }

  /// Returns a filter for documents whose field is `value` or less, and of its type class.
  public static func whereField(_ path: FieldPath, isLessThanOrEqualTo value: Any) -> Filter {
    Filter(path, .lessThanOrEqual, value)
  }

  /// Returns a filter for documents whose field is greater than `value`, and of its type class.
  public static func whereField(_ field: String, isGreaterThan value: Any) -> Filter {
    Filter(field, .greaterThan, value)
  }

  /// Returns a filter for documents whose field is greater than `value`, and of its type class.
  public static func whereField(_ path: FieldPath, isGreaterThan value: Any) -> Filter {
    Filter(path, .greaterThan, value)
  }

  /// Returns a filter for documents whose field is `value` or greater, and of its type class.
  public static func whereField(_ field: String, isGreaterOrEqualTo value: Any) -> Filter {
    Filter(field, .greaterThanOrEqual, value)
  }

  /// Returns a filter for documents whose field is `value` or greater, and of its type class.
  public static func whereField(_ path: FieldPath, isGreaterOrEqualTo value: Any) -> Filter {
    Filter(path, .greaterThanOrEqual, value)
  }

  /// Returns a filter for documents whose array contains `value`.
  public static func whereField(_ field: String, arrayContains value: Any) -> Filter {
    Filter(field, .arrayContains, value)
  }

  /// Returns a filter for documents whose array contains `value`.
  public static func whereField(_ path: FieldPath, arrayContains value: Any) -> Filter {
    Filter(path, .arrayContains, value)
  }

  /// Returns a filter for documents whose array contains one of `values`, up to 30.
  public static func whereField(_ field: String, arrayContainsAny values: [Any]) -> Filter {
    Filter(field, .arrayContainsAny, anyOf: values)
  }

  /// Returns a filter for documents whose array contains one of `values`, up to 30.
  public static func whereField(_ path: FieldPath, arrayContainsAny values: [Any]) -> Filter {
    Filter(path, .arrayContainsAny, anyOf: values)
  }

  /// Returns a filter for documents whose field equals one of `values`, up to 30.
  public static func whereField(_ field: String, in values: [Any]) -> Filter {
    Filter(field, .in, anyOf: values)
  }

  /// Returns a filter for documents whose field equals one of `values`, up to 30.
  public static func whereField(_ path: FieldPath, in values: [Any]) -> Filter {
    Filter(path, .in, anyOf: values)
  }

  /// Returns a filter for documents whose field has a value that is neither null nor one of
  /// `values`, up to 10.
  public static func whereField(_ field: String, notIn values: [Any]) -> Filter {
    Filter(field, .notIn, anyOf: values)
  }

  /// Returns a filter for documents whose field has a value that is neither null nor one of
  /// `values`, up to 10.
  public static func whereField(_ path: FieldPath, notIn values: [Any]) -> Filter {
    Filter(path, .notIn, anyOf: values)
  }
}
