public import HearthDocumentModel
public import HearthQueryPlanning

/// A type that can be refined into a query and run: a ``CollectionReference``, which is the query
/// for all its documents, and a ``Query``.
///
/// Every refinement returns a new query and leaves the old one unchanged. The indexes are not
/// checked until the query runs.
public protocol QueryBuilding: Sendable {
  /// The query that the next refinement starts from.
  var query: Query { get }

  /// Returns the query, and gives up the value that it is taken from. So a chain of refinements
  /// copies nothing.
  consuming func takeQuery() -> Query
}

extension QueryBuilding {
  public consuming func takeQuery() -> Query { query }
}

extension QueryBuilding {
  /// Returns the query for a reader of a database's view.
  ///
  /// - Throws: `invalidArgument` if the query is of another database.
  func checked(for reader: ViewReader, of database: Database) throws(DatabaseError) -> Query {
    try database.check(query.structuredQuery.parent, in: query.database, for: reader)
    return query
  }

  // MARK: Order and cursors

  /// Sorts by `field`, after the fields of earlier orders. Documents without the field are left out
  /// (§4.5).
  ///
  /// - Throws: `invalidArgument` for a malformed path.
  public consuming func order(
    by field: String, descending: Bool = false
  ) throws(DatabaseError) -> Query {
    order(by: try FieldPath(field), descending: descending)
  }

  /// Starts at the first document that equals `values` in the fields that the query is sorted by,
  /// or that follows them in the order (§4.6).
  public consuming func start(at values: [Value]) -> Query {
    with(start: Cursor(values, isBefore: true))
  }

  /// Starts after all documents that equal `values`.
  public consuming func start(after values: [Value]) -> Query {
    with(start: Cursor(values, isBefore: false))
  }

  /// Ends with the last document that equals `values`.
  public consuming func end(at values: [Value]) -> Query {
    with(end: Cursor(values, isBefore: false))
  }

  /// Ends before the first document that equals `values`.
  public consuming func end(before values: [Value]) -> Query {
    with(end: Cursor(values, isBefore: true))
  }

  consuming func with(start: Cursor) -> Query { changed { $0.structuredQuery.start = start } }

  consuming func with(end: Cursor) -> Query { changed { $0.structuredQuery.end = end } }

  /// Returns the query with a change.
  consuming func changed(_ change: (inout Query) -> Void) -> Query {
    var query = takeQuery()
    change(&query)
    return query
  }

  // MARK: Contents of results

  /// Limits the results to these fields, which are paths such as `address.city`. With no fields,
  /// results have only names (§4.9). The query still finds the same documents with the same index.
  ///
  /// - Throws: `invalidArgument` for a malformed path.
  public consuming func select(_ fields: [String]) throws(DatabaseError) -> Query {
    var paths: [FieldPath] = []
    for field in fields { paths.append(try FieldPath(field)) }
    return changed { $0.structuredQuery.projection = paths }
  }

  /// Finds the `limit` documents whose vectors in `field` are closest to `vector`, the closest
  /// first. Only documents that satisfy the filters are considered (§4.10).
  ///
  /// ```swift
  /// let similar = try songs.whereField("genre", isEqualTo: "jazz")
  ///   .findNearest("embedding", to: [0.2, 0.7, 0.1], by: .cosine, limit: 10)
  /// ```
  ///
  /// The query needs a vector index that has the fields of the filters first. It can't have a
  /// limit, offset or cursor of its own.
  ///
  /// - Parameters:
  ///   - field: the path of the vectors.
  ///   - vector: a vector with the number of elements that the index is for.
  ///   - measure: the measure of distance.
  ///   - limit: the number of results, from 1 to 1,000.
  ///   - distanceField: the name of a field that is added to the results with their distance.
  ///   - threshold: the greatest distance of a result, or the least product.
  /// - Throws: `invalidArgument` for a malformed path.
  public consuming func findNearest(
    _ field: String, to vector: [Double], by measure: NearestNeighbors.Measure, limit: Int,
    distanceField: String? = nil, threshold: Double? = nil
  ) throws(DatabaseError) -> Query {
    let nearest = NearestNeighbors(
      try FieldPath(field), to: vector, by: measure, limit: limit, distanceField: distanceField,
      threshold: threshold)
    return changed { $0.structuredQuery.nearest = nearest }
  }

  // MARK: Limits

  /// Limits the query to its first `count` results.
  public consuming func limit(to count: Int) -> Query {
    changed { ($0.structuredQuery.limit, $0.lastCount) = (count, nil) }
  }

  /// Limits the query to its last `count` results, in the query's order. The query runs from the
  /// end, so it needs the index of the opposite order (§4.7).
  public consuming func limit(toLast count: Int) -> Query {
    changed { ($0.structuredQuery.limit, $0.lastCount) = (nil, count) }
  }

  /// Skips the first `count` results. The query still finds them, so cursors cost less.
  public consuming func offset(_ count: Int) -> Query {
    changed { $0.structuredQuery.offset = count }
  }
}
