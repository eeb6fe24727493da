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
  // MARK: Order and cursors

  /// Sorts by `field`, behind the fields sorted by so far. Documents without it are left out
  /// (§4.5).
  ///
  /// - Throws: `invalidArgument` for a malformed path.
  public func order(
    by field: String, descending: Bool = false
  ) throws(DatabaseError) -> Query {
    order(by: try FieldPath(field), descending: descending)
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

  // MARK: What results are

  /// Results carry only these fields, paths such as `address.city`; with none they are names alone
  /// (§4.9). It changes neither which documents are found nor the index that finds them.
  ///
  /// - Throws: `invalidArgument` for a malformed path.
  public func select(_ fields: [String]) throws(DatabaseError) -> Query {
    var query = query
    var paths: [FieldPath] = []
    for field in fields { paths.append(try FieldPath(field)) }
    query.structuredQuery.projection = paths
    return query
  }

  /// The `limit` documents whose vectors in `field` lie closest to `vector`, the closest first, of
  /// those that the filters leave (§4.10).
  ///
  /// ```swift
  /// let similar = try songs.whereField("genre", isEqualTo: "jazz")
  ///   .findNearest("embedding", to: [0.2, 0.7, 0.1], by: .cosine, limit: 10)
  /// ```
  ///
  /// It needs a vector index that has the fields of the filters in front. Such a query has no
  /// limit, offset or cursor of its own.
  ///
  /// - Parameters:
  ///   - field: the path of the vectors.
  ///   - vector: of as many elements as the index is for.
  ///   - measure: what is near.
  ///   - limit: from 1 to 1,000.
  ///   - distanceField: a field of that name is added to the results, with their distance.
  ///   - threshold: the greatest distance of a result, or the least product.
  /// - Throws: `invalidArgument` for a malformed path.
  public func findNearest(
    _ field: String, to vector: [Double], by measure: NearestNeighbors.Measure, limit: Int,
    distanceField: String? = nil, threshold: Double? = nil
  ) throws(DatabaseError) -> Query {
    var query = query
    query.structuredQuery.nearest = NearestNeighbors(
      try FieldPath(field), to: vector, by: measure, limit: limit, distanceField: distanceField,
      threshold: threshold)
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
