public import HearthDocumentModel
public import HearthQueryPlanning

extension QueryBuilding {
  /// Keeps only documents that have `value` in `field`, a path such as `address.city`. Null matches
  /// null, and NaN matches NaN (§2.4).
  ///
  /// The field may be the document's own name, `FieldPath.documentID`. Then `value` is a reference,
  /// or the document's id; in a collection group, the document's path.
  ///
  /// - Throws: `invalidArgument` for a malformed path. The other filters throw the same.
  public consuming func whereField(_ field: String, isEqualTo value: Value) throws(DatabaseError)
    -> Query
  {
    whereFilter(try .whereField(field, isEqualTo: value))
  }

  /// Keeps only documents whose `field` has a value other than `value` and null (§2.4). "Not null"
  /// matches all other values, and "not NaN" all values except null and NaN.
  public consuming func whereField(_ field: String, isNotEqualTo value: Value) throws(DatabaseError)
    -> Query
  {
    whereFilter(try .whereField(field, isNotEqualTo: value))
  }

  /// Keeps only documents whose `field` is less than `value`, and of its type class (§2.5).
  public consuming func whereField(_ field: String, isLessThan value: Value) throws(DatabaseError)
    -> Query
  {
    whereFilter(try .whereField(field, isLessThan: value))
  }

  /// Keeps only documents whose `field` is `value` or less, and of its type class (§2.5).
  public consuming func whereField(_ field: String, isLessThanOrEqualTo value: Value)
    throws(DatabaseError)
    -> Query
  {
    whereFilter(try .whereField(field, isLessThanOrEqualTo: value))
  }

  /// Keeps only documents whose `field` is greater than `value`, and of its type class (§2.5).
  public consuming func whereField(_ field: String, isGreaterThan value: Value)
    throws(DatabaseError) -> Query
  {
    whereFilter(try .whereField(field, isGreaterThan: value))
  }

  /// Keeps only documents whose `field` is `value` or greater, and of its type class (§2.5).
  public consuming func whereField(_ field: String, isGreaterThanOrEqualTo value: Value)
    throws(DatabaseError)
    -> Query
  {
    whereFilter(try .whereField(field, isGreaterThanOrEqualTo: value))
  }

  /// Keeps only documents that have one of `values` in `field`. There may be up to 30 values; null
  /// and NaN match nothing (§2.4).
  public consuming func whereField(_ field: String, in values: [Value]) throws(DatabaseError)
    -> Query
  {
    whereFilter(try .whereField(field, in: values))
  }

  /// Keeps only documents whose `field` has a value that is neither null nor one of `values`. There
  /// may be up to 10 values; if null is one of them, nothing matches (§2.4).
  public consuming func whereField(_ field: String, notIn values: [Value]) throws(DatabaseError)
    -> Query
  {
    whereFilter(try .whereField(field, notIn: values))
  }

  /// Keeps only documents that have an array with the element `value` in `field`.
  public consuming func whereField(_ field: String, arrayContains value: Value)
    throws(DatabaseError) -> Query
  {
    whereFilter(try .whereField(field, arrayContains: value))
  }

  /// Keeps only documents that have an array in `field` with one of `values`, up to 30, as an
  /// element.
  public consuming func whereField(_ field: String, arrayContainsAny values: [Value])
    throws(DatabaseError)
    -> Query
  {
    whereFilter(try .whereField(field, arrayContainsAny: values))
  }

  /// Keeps only documents that satisfy `filter`, which may nest alternatives in any way (§4.2):
  ///
  /// ```swift
  /// let large = try cities.whereFilter(
  ///   .orFilter([
  ///     .whereField("capital", isEqualTo: true),
  ///     .whereField("population", isGreaterThan: 1_000_000),
  ///   ]))
  /// ```
  public consuming func whereFilter(_ filter: Filter) -> Query {
    changed { $0.structuredQuery.addFilter(filter) }
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
