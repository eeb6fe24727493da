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
  /// Hearth's filter, or why there is none.
  let condition: Result<Hearth.Filter, DatabaseError>

  private init(_ condition: () throws(DatabaseError) -> Hearth.Filter) {
    self.condition = Result(catching: condition)
  }

  private convenience init(
    _ field: () throws(DatabaseError) -> Hearth.FieldPath, _ comparison: Hearth.Filter.Comparison,
    _ value: Any
  ) {
    self.init { () throws(DatabaseError) in
      try Filter.condition(field(), comparison, AnyReader.argument(value))
    }
  }

  private convenience init(
    _ field: () throws(DatabaseError) -> Hearth.FieldPath, _ comparison: Hearth.Filter.Comparison,
    anyOf values: [Any]
  ) {
    self.init { () throws(DatabaseError) in
      .field(try field(), comparison, .array(try AnyReader.arguments(values)))
    }
  }

  /// Null and NaN are asked for by tests of their own (§2.4).
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

  /// All of them; none is no condition.
  public static func andFilter(_ filters: [Filter]) -> Filter {
    Filter { () throws(DatabaseError) in .and(try conditions(of: filters)) }
  }

  /// At least one of them.
  public static func orFilter(_ filters: [Filter]) -> Filter {
    Filter { () throws(DatabaseError) in .or(try conditions(of: filters)) }
  }
}

// What each finds stands with the query's own.
extension Filter {
  /// Documents whose field equals `value`; null and NaN find themselves.
  public static func whereField(_ field: String, isEqualTo value: Any) -> Filter {
    Filter({ () throws(DatabaseError) in try Hearth.FieldPath(dotted: field) }, .equal, value)
  }

  /// Documents whose field equals `value`; null and NaN find themselves.
  public static func whereField(_ path: FieldPath, isEqualTo value: Any) -> Filter {
    Filter({ () throws(DatabaseError) in try path.stored() }, .equal, value)
  }

  /// Documents whose field is there, not null, and not equal to `value`.
  public static func whereField(_ field: String, isNotEqualTo value: Any) -> Filter {
    Filter({ () throws(DatabaseError) in try Hearth.FieldPath(dotted: field) }, .notEqual, value)
  }

  /// Documents whose field is there, not null, and not equal to `value`.
  public static func whereField(_ path: FieldPath, isNotEqualTo value: Any) -> Filter {
    Filter({ () throws(DatabaseError) in try path.stored() }, .notEqual, value)
  }

  /// Documents whose field is less than `value`, and of its type.
  public static func whereField(_ field: String, isLessThan value: Any) -> Filter {
    Filter({ () throws(DatabaseError) in try Hearth.FieldPath(dotted: field) }, .lessThan, value)
  }

  /// Documents whose field is less than `value`, and of its type.
  public static func whereField(_ path: FieldPath, isLessThan value: Any) -> Filter {
    Filter({ () throws(DatabaseError) in try path.stored() }, .lessThan, value)
  }

  /// Documents whose field is at most `value`, and of its type.
  public static func whereField(_ field: String, isLessThanOrEqualTo value: Any) -> Filter {
    Filter(
      { () throws(DatabaseError) in try Hearth.FieldPath(dotted: field) }, .lessThanOrEqual, value)
  }

  /// Documents whose field is at most `value`, and of its type.
  public static func whereField(_ path: FieldPath, isLessThanOrEqualTo value: Any) -> Filter {
    Filter({ () throws(DatabaseError) in try path.stored() }, .lessThanOrEqual, value)
  }

  /// Documents whose field is greater than `value`, and of its type.
  public static func whereField(_ field: String, isGreaterThan value: Any) -> Filter {
    Filter({ () throws(DatabaseError) in try Hearth.FieldPath(dotted: field) }, .greaterThan, value)
  }

  /// Documents whose field is greater than `value`, and of its type.
  public static func whereField(_ path: FieldPath, isGreaterThan value: Any) -> Filter {
    Filter({ () throws(DatabaseError) in try path.stored() }, .greaterThan, value)
  }

  /// Documents whose field is at least `value`, and of its type.
  public static func whereField(_ field: String, isGreaterOrEqualTo value: Any) -> Filter {
    Filter(
      { () throws(DatabaseError) in try Hearth.FieldPath(dotted: field) }, .greaterThanOrEqual,
      value)
  }

  /// Documents whose field is at least `value`, and of its type.
  public static func whereField(_ path: FieldPath, isGreaterOrEqualTo value: Any) -> Filter {
    Filter({ () throws(DatabaseError) in try path.stored() }, .greaterThanOrEqual, value)
  }

  /// Documents whose array has `value`.
  public static func whereField(_ field: String, arrayContains value: Any) -> Filter {
    Filter(
      { () throws(DatabaseError) in try Hearth.FieldPath(dotted: field) }, .arrayContains, value)
  }

  /// Documents whose array has `value`.
  public static func whereField(_ path: FieldPath, arrayContains value: Any) -> Filter {
    Filter({ () throws(DatabaseError) in try path.stored() }, .arrayContains, value)
  }

  /// Documents whose array has one of `values`, of up to 30.
  public static func whereField(_ field: String, arrayContainsAny values: [Any]) -> Filter {
    Filter(
      { () throws(DatabaseError) in try Hearth.FieldPath(dotted: field) }, .arrayContainsAny,
      anyOf: values)
  }

  /// Documents whose array has one of `values`, of up to 30.
  public static func whereField(_ path: FieldPath, arrayContainsAny values: [Any]) -> Filter {
    Filter({ () throws(DatabaseError) in try path.stored() }, .arrayContainsAny, anyOf: values)
  }

  /// Documents whose field equals one of `values`, of up to 30.
  public static func whereField(_ field: String, in values: [Any]) -> Filter {
    Filter({ () throws(DatabaseError) in try Hearth.FieldPath(dotted: field) }, .in, anyOf: values)
  }

  /// Documents whose field equals one of `values`, of up to 30.
  public static func whereField(_ path: FieldPath, in values: [Any]) -> Filter {
    Filter({ () throws(DatabaseError) in try path.stored() }, .in, anyOf: values)
  }

  /// Documents whose field is there, not null, and equals none of `values`, of up to 10.
  public static func whereField(_ field: String, notIn values: [Any]) -> Filter {
    Filter(
      { () throws(DatabaseError) in try Hearth.FieldPath(dotted: field) }, .notIn, anyOf: values)
  }

  /// Documents whose field is there, not null, and equals none of `values`, of up to 10.
  public static func whereField(_ path: FieldPath, notIn values: [Any]) -> Filter {
    Filter({ () throws(DatabaseError) in try path.stored() }, .notIn, anyOf: values)
  }
}
