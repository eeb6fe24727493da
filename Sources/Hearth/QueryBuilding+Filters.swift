public import DocumentModel
public import QueryPlanning

extension QueryBuilding {
  /// Only documents that have `value` in `field`, a path such as `address.city`. Null finds null,
  /// and NaN finds NaN (§2.4).
  ///
  /// The field may be the document's own name, `FieldPath.documentID`: then `value` is a reference,
  /// or the document's id; in a collection group, its path.
  ///
  /// - Throws: `invalidArgument` for a malformed path. So do the other filters.
  public func whereField(_ field: String, isEqualTo value: Value) throws(DatabaseError) -> Query {
    whereFilter(try .whereField(field, isEqualTo: value))
  }

  /// Only documents that have another value than `value` in `field`, and not null (§2.4). Not null
  /// finds all values, and not NaN all but null and NaN.
  public func whereField(_ field: String, isNotEqualTo value: Value) throws(DatabaseError) -> Query
  {
    whereFilter(try .whereField(field, isNotEqualTo: value))
  }

  /// Only documents whose `field` is less than `value`, and of its type class (§2.5).
  public func whereField(_ field: String, isLessThan value: Value) throws(DatabaseError) -> Query {
    whereFilter(try .whereField(field, isLessThan: value))
  }

  /// Only documents whose `field` is `value` or less, and of its type class (§2.5).
  public func whereField(_ field: String, isLessThanOrEqualTo value: Value) throws(DatabaseError)
    -> Query
  {
    whereFilter(try .whereField(field, isLessThanOrEqualTo: value))
  }

  /// Only documents whose `field` is greater than `value`, and of its type class (§2.5).
  public func whereField(_ field: String, isGreaterThan value: Value) throws(DatabaseError) -> Query
  {
    whereFilter(try .whereField(field, isGreaterThan: value))
  }

  /// Only documents whose `field` is `value` or greater, and of its type class (§2.5).
  public func whereField(_ field: String, isGreaterThanOrEqualTo value: Value) throws(DatabaseError)
    -> Query
  {
    whereFilter(try .whereField(field, isGreaterThanOrEqualTo: value))
  }

  /// Only documents that have one of `values` in `field`: up to 30, of which null and NaN find
  /// nothing (§2.4).
  public func whereField(_ field: String, in values: [Value]) throws(DatabaseError) -> Query {
    whereFilter(try .whereField(field, in: values))
  }

  /// Only documents that have a value in `field` that is none of `values`, up to 10, and not null.
  /// Null among them leaves nothing (§2.4).
  public func whereField(_ field: String, notIn values: [Value]) throws(DatabaseError) -> Query {
    whereFilter(try .whereField(field, notIn: values))
  }

  /// Only documents that have an array with the element `value` in `field`.
  public func whereField(_ field: String, arrayContains value: Value) throws(DatabaseError) -> Query
  {
    whereFilter(try .whereField(field, arrayContains: value))
  }

  /// Only documents that have an array in `field` with one of `values`, up to 30, as an element.
  public func whereField(_ field: String, arrayContainsAny values: [Value]) throws(DatabaseError)
    -> Query
  {
    whereFilter(try .whereField(field, arrayContainsAny: values))
  }

  /// Only documents that satisfy `filter`, which may nest alternatives in any way (§4.2):
  ///
  /// ```swift
  /// let large = try cities.whereFilter(
  ///   .orFilter([
  ///     .whereField("capital", isEqualTo: true),
  ///     .whereField("population", isGreaterThan: 1_000_000),
  ///   ]))
  /// ```
  public func whereFilter(_ filter: Filter) -> Query {
    var query = query
    query.structuredQuery.addFilter(filter)
    return query
  }
}

extension StructuredQuery {
  fileprivate mutating func addFilter(_ added: Filter) {
    switch filter {
    case nil: filter = added
    case .and(let filters): filter = .and(filters + [added])
    case let present?: filter = .and([present, added])
    }
  }
}
