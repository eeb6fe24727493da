public import HearthDocumentModel
public import HearthQueryPlanning

// The conditions of queries as parts of a filter. The query's own methods document each condition.
extension Filter {
  /// Returns a filter that matches if all of `filters` match. An empty list is no condition.
  public static func andFilter(_ filters: [Filter]) -> Filter { .and(filters) }

  /// Returns a filter that matches if at least one of `filters` matches. A query needs at least one
  /// (§4.2).
  public static func orFilter(_ filters: [Filter]) -> Filter { .or(filters) }
}

// MARK: - By the text of a path

extension Filter {
  /// Returns a filter for documents whose `field` equals `value`.
  ///
  /// - Throws: `invalidArgument` for a malformed path.
  public static func whereField(_ field: String, isEqualTo value: Value) throws(DatabaseError)
    -> Filter
  {
    .whereField(try FieldPath(field), isEqualTo: value)
  }

  /// Returns a filter for documents whose `field` is neither `value` nor null.
  ///
  /// - Throws: `invalidArgument` for a malformed path.
  public static func whereField(_ field: String, isNotEqualTo value: Value) throws(DatabaseError)
    -> Filter
  {
    .whereField(try FieldPath(field), isNotEqualTo: value)
  }

  /// Returns a filter for documents whose `field` is less than `value`.
  ///
  /// - Throws: `invalidArgument` for a malformed path.
  public static func whereField(_ field: String, isLessThan value: Value) throws(DatabaseError)
    -> Filter
  {
    .whereField(try FieldPath(field), isLessThan: value)
  }

  /// Returns a filter for documents whose `field` is `value` or less.
  ///
  /// - Throws: `invalidArgument` for a malformed path.
  public static func whereField(_ field: String, isLessThanOrEqualTo value: Value)
    throws(DatabaseError) -> Filter
  {
    .whereField(try FieldPath(field), isLessThanOrEqualTo: value)
  }

  /// Returns a filter for documents whose `field` is greater than `value`.
  ///
  /// - Throws: `invalidArgument` for a malformed path.
  public static func whereField(_ field: String, isGreaterThan value: Value) throws(DatabaseError)
    -> Filter
  {
    .whereField(try FieldPath(field), isGreaterThan: value)
  }

  /// Returns a filter for documents whose `field` is `value` or greater.
  ///
  /// - Throws: `invalidArgument` for a malformed path.
  public static func whereField(_ field: String, isGreaterThanOrEqualTo value: Value)
    throws(DatabaseError) -> Filter
  {
    .whereField(try FieldPath(field), isGreaterThanOrEqualTo: value)
  }

  /// Returns a filter for documents whose `field` is one of `values`.
  ///
  /// - Throws: `invalidArgument` for a malformed path.
  public static func whereField(_ field: String, in values: [Value]) throws(DatabaseError) -> Filter
  {
    .whereField(try FieldPath(field), in: values)
  }

  /// Returns a filter for documents whose `field` is none of `values`, and not null.
  ///
  /// - Throws: `invalidArgument` for a malformed path.
  public static func whereField(_ field: String, notIn values: [Value]) throws(DatabaseError)
    -> Filter
  {
    .whereField(try FieldPath(field), notIn: values)
  }

  /// Returns a filter for documents whose `field` is an array that contains `value`.
  ///
  /// - Throws: `invalidArgument` for a malformed path.
  public static func whereField(_ field: String, arrayContains value: Value) throws(DatabaseError)
    -> Filter
  {
    .whereField(try FieldPath(field), arrayContains: value)
  }

  /// Returns a filter for documents whose `field` is an array that contains one of `values`.
  ///
  /// - Throws: `invalidArgument` for a malformed path.
  public static func whereField(_ field: String, arrayContainsAny values: [Value])
    throws(DatabaseError) -> Filter
  {
    .whereField(try FieldPath(field), arrayContainsAny: values)
  }
}

// MARK: - By a path

extension Filter {
  /// Returns a filter for documents whose `field` equals `value`.
  public static func whereField(_ field: FieldPath, isEqualTo value: Value) -> Filter {
    switch value {
    case .null: .unary(field, .isNull)
    case .double(let number) where number.isNaN: .unary(field, .isNaN)
    default: .field(field, .equal, value)
    }
  }

  /// Returns a filter for documents whose `field` is neither `value` nor null.
  public static func whereField(_ field: FieldPath, isNotEqualTo value: Value) -> Filter {
    switch value {
    case .null: .unary(field, .isNotNull)
    case .double(let number) where number.isNaN: .unary(field, .isNotNaN)
    default: .field(field, .notEqual, value)
    }
  }

  /// Returns a filter for documents whose `field` is less than `value`.
  public static func whereField(_ field: FieldPath, isLessThan value: Value) -> Filter {
    .field(field, .lessThan, value)
  }

  /// Returns a filter for documents whose `field` is `value` or less.
  public static func whereField(_ field: FieldPath, isLessThanOrEqualTo value: Value) -> Filter {
    .field(field, .lessThanOrEqual, value)
  }

  /// Returns a filter for documents whose `field` is greater than `value`.
  public static func whereField(_ field: FieldPath, isGreaterThan value: Value) -> Filter {
    .field(field, .greaterThan, value)
  }

  /// Returns a filter for documents whose `field` is `value` or greater.
  public static func whereField(_ field: FieldPath, isGreaterThanOrEqualTo value: Value) -> Filter {
    .field(field, .greaterThanOrEqual, value)
  }

  /// Returns a filter for documents whose `field` is one of `values`.
  public static func whereField(_ field: FieldPath, in values: [Value]) -> Filter {
    .field(field, .in, .array(values))
  }

  /// Returns a filter for documents whose `field` is none of `values`, and not null.
  public static func whereField(_ field: FieldPath, notIn values: [Value]) -> Filter {
    .field(field, .notIn, .array(values))
  }

  /// Returns a filter for documents whose `field` is an array that contains `value`.
  public static func whereField(_ field: FieldPath, arrayContains value: Value) -> Filter {
    .field(field, .arrayContains, value)
  }

  /// Returns a filter for documents whose `field` is an array that contains one of `values`.
  public static func whereField(_ field: FieldPath, arrayContainsAny values: [Value]) -> Filter {
    .field(field, .arrayContainsAny, .array(values))
  }
}
