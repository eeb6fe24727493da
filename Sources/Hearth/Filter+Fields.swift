public import DocumentModel
public import QueryPlanning

// The conditions of queries as parts of a filter. What each finds stands with the query's own.
extension Filter {
  /// All of `filters`; none of them is no condition.
  public static func andFilter(_ filters: [Filter]) -> Filter { .and(filters) }

  /// At least one of `filters`; a query needs one in it (§4.2).
  public static func orFilter(_ filters: [Filter]) -> Filter { .or(filters) }
}

// MARK: - By the text of a path

extension Filter {
  /// - Throws: `invalidArgument` for a malformed path.
  public static func whereField(_ field: String, isEqualTo value: Value) throws(DatabaseError)
    -> Filter
  {
    .whereField(try FieldPath(field), isEqualTo: value)
  }

  /// - Throws: `invalidArgument` for a malformed path.
  public static func whereField(_ field: String, isNotEqualTo value: Value) throws(DatabaseError)
    -> Filter
  {
    .whereField(try FieldPath(field), isNotEqualTo: value)
  }

  /// - Throws: `invalidArgument` for a malformed path.
  public static func whereField(_ field: String, isLessThan value: Value) throws(DatabaseError)
    -> Filter
  {
    .whereField(try FieldPath(field), isLessThan: value)
  }

  /// - Throws: `invalidArgument` for a malformed path.
  public static func whereField(_ field: String, isLessThanOrEqualTo value: Value)
    throws(DatabaseError) -> Filter
  {
    .whereField(try FieldPath(field), isLessThanOrEqualTo: value)
  }

  /// - Throws: `invalidArgument` for a malformed path.
  public static func whereField(_ field: String, isGreaterThan value: Value) throws(DatabaseError)
    -> Filter
  {
    .whereField(try FieldPath(field), isGreaterThan: value)
  }

  /// - Throws: `invalidArgument` for a malformed path.
  public static func whereField(_ field: String, isGreaterThanOrEqualTo value: Value)
    throws(DatabaseError) -> Filter
  {
    .whereField(try FieldPath(field), isGreaterThanOrEqualTo: value)
  }

  /// - Throws: `invalidArgument` for a malformed path.
  public static func whereField(_ field: String, in values: [Value]) throws(DatabaseError) -> Filter
  {
    .whereField(try FieldPath(field), in: values)
  }

  /// - Throws: `invalidArgument` for a malformed path.
  public static func whereField(_ field: String, notIn values: [Value]) throws(DatabaseError)
    -> Filter
  {
    .whereField(try FieldPath(field), notIn: values)
  }

  /// - Throws: `invalidArgument` for a malformed path.
  public static func whereField(_ field: String, arrayContains value: Value) throws(DatabaseError)
    -> Filter
  {
    .whereField(try FieldPath(field), arrayContains: value)
  }

  /// - Throws: `invalidArgument` for a malformed path.
  public static func whereField(_ field: String, arrayContainsAny values: [Value])
    throws(DatabaseError) -> Filter
  {
    .whereField(try FieldPath(field), arrayContainsAny: values)
  }
}

// MARK: - By a path

extension Filter {
  /// The same with a path that is no text.
  public static func whereField(_ field: FieldPath, isEqualTo value: Value) -> Filter {
    switch value {
    case .null: .unary(field, .isNull)
    case .double(let number) where number.isNaN: .unary(field, .isNaN)
    default: .field(field, .equal, value)
    }
  }

  /// The same with a path that is no text.
  public static func whereField(_ field: FieldPath, isNotEqualTo value: Value) -> Filter {
    switch value {
    case .null: .unary(field, .isNotNull)
    case .double(let number) where number.isNaN: .unary(field, .isNotNaN)
    default: .field(field, .notEqual, value)
    }
  }

  /// The same with a path that is no text.
  public static func whereField(_ field: FieldPath, isLessThan value: Value) -> Filter {
    .field(field, .lessThan, value)
  }

  /// The same with a path that is no text.
  public static func whereField(_ field: FieldPath, isLessThanOrEqualTo value: Value) -> Filter {
    .field(field, .lessThanOrEqual, value)
  }

  /// The same with a path that is no text.
  public static func whereField(_ field: FieldPath, isGreaterThan value: Value) -> Filter {
    .field(field, .greaterThan, value)
  }

  /// The same with a path that is no text.
  public static func whereField(_ field: FieldPath, isGreaterThanOrEqualTo value: Value) -> Filter {
    .field(field, .greaterThanOrEqual, value)
  }

  /// The same with a path that is no text.
  public static func whereField(_ field: FieldPath, in values: [Value]) -> Filter {
    .field(field, .in, .array(values))
  }

  /// The same with a path that is no text.
  public static func whereField(_ field: FieldPath, notIn values: [Value]) -> Filter {
    .field(field, .notIn, .array(values))
  }

  /// The same with a path that is no text.
  public static func whereField(_ field: FieldPath, arrayContains value: Value) -> Filter {
    .field(field, .arrayContains, value)
  }

  /// The same with a path that is no text.
  public static func whereField(_ field: FieldPath, arrayContainsAny values: [Value]) -> Filter {
    .field(field, .arrayContainsAny, .array(values))
  }
}
