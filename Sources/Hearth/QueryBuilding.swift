public import DocumentModel
public import QueryPlanning

/// What queries are refined from and run by: a ``CollectionReference``, which is the query for all
/// its documents, and a ``Query``.
///
/// Every refinement returns a new query and leaves this one as it is. Nothing is checked against
/// the indexes until the query runs.
public protocol QueryBuilding: Sendable {
  /// The query that the next refinement starts from.
  var query: Query { get }
}

extension QueryBuilding {
  // MARK: Filters

  /// Only documents that have `value` in `field`, a path such as `address.city`. Null finds null,
  /// and NaN finds NaN (§2.4).
  ///
  /// - Throws: `invalidArgument` for a malformed path. So do the other filters.
  public func whereField(_ field: String, isEqualTo value: Value) throws(DatabaseError) -> Query {
    switch value {
    case .null: try filtered(.unary(FieldPath(field), .isNull))
    case .double(let number) where number.isNaN: try filtered(.unary(FieldPath(field), .isNaN))
    default: try filtered(.field(FieldPath(field), .equal, value))
    }
  }

  /// Only documents whose `field` is less than `value`, and of its type class (§2.5).
  public func whereField(_ field: String, isLessThan value: Value) throws(DatabaseError) -> Query {
    try filtered(.field(FieldPath(field), .lessThan, value))
  }

  /// Only documents whose `field` is `value` or less, and of its type class (§2.5).
  public func whereField(
    _ field: String, isLessThanOrEqualTo value: Value
  ) throws(DatabaseError) -> Query {
    try filtered(.field(FieldPath(field), .lessThanOrEqual, value))
  }

  /// Only documents whose `field` is greater than `value`, and of its type class (§2.5).
  public func whereField(
    _ field: String, isGreaterThan value: Value
  ) throws(DatabaseError) -> Query {
    try filtered(.field(FieldPath(field), .greaterThan, value))
  }

  /// Only documents whose `field` is `value` or greater, and of its type class (§2.5).
  public func whereField(
    _ field: String, isGreaterThanOrEqualTo value: Value
  ) throws(DatabaseError) -> Query {
    try filtered(.field(FieldPath(field), .greaterThanOrEqual, value))
  }

  /// Only documents that have an array with the element `value` in `field`.
  public func whereField(
    _ field: String, arrayContains value: Value
  ) throws(DatabaseError) -> Query {
    try filtered(.field(FieldPath(field), .arrayContains, value))
  }

  /// Only documents that satisfy `filter` too.
  public func filtered(_ filter: Filter) -> Query {
    var query = query
    switch query.structuredQuery.filter {
    case nil: query.structuredQuery.filter = filter
    case .and(let filters): query.structuredQuery.filter = .and(filters + [filter])
    case let present?: query.structuredQuery.filter = .and([present, filter])
    }
    return query
  }

  // MARK: Order and cursors

  /// Sorts by `field`, behind the fields sorted by so far. Documents without it are left out
  /// (§4.5).
  ///
  /// - Throws: `invalidArgument` for a malformed path.
  public func order(
    by field: String, descending: Bool = false
  ) throws(DatabaseError) -> Query {
    var query = query
    query.structuredQuery.orders.append(
      Order(try FieldPath(field), descending ? .descending : .ascending))
    return query
  }

  /// Starts at the first document that equals `values` in the fields that the query is sorted by,
  /// or would stand behind them (§4.6).
  public func start(at values: [Value]) -> Query {
    with(start: Cursor(values, isBefore: true))
  }

  /// Starts behind all documents that equal `values`.
  public func start(after values: [Value]) -> Query {
    with(start: Cursor(values, isBefore: false))
  }

  /// Ends with the last document that equals `values`.
  public func end(at values: [Value]) -> Query {
    with(end: Cursor(values, isBefore: false))
  }

  /// Ends before the first document that equals `values`.
  public func end(before values: [Value]) -> Query {
    with(end: Cursor(values, isBefore: true))
  }

  func with(start: Cursor) -> Query {
    var query = query
    query.structuredQuery.start = start
    return query
  }

  func with(end: Cursor) -> Query {
    var query = query
    query.structuredQuery.end = end
    return query
  }

  // MARK: Limits

  /// The first `count` results.
  public func limit(to count: Int) -> Query {
    var query = query
    query.structuredQuery.limit = count
    query.lastCount = nil
    return query
  }

  /// The last `count` results, in the query's order. It runs from the end, so it needs the index of
  /// the opposite order (§4.7).
  public func limit(toLast count: Int) -> Query {
    var query = query
    query.structuredQuery.limit = nil
    query.lastCount = count
    return query
  }

  /// Without the first `count` results. They are found all the same: cursors cost less.
  public func offset(_ count: Int) -> Query {
    var query = query
    query.structuredQuery.offset = count
    return query
  }
}
