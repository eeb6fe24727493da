public import HearthDocumentModel
import HearthQueryPlanning

/// A type that can be refined into a typed query and run: a ``TypedCollection`` or a
/// ``TypedQuery``.
///
/// Features that a typed query lacks are available on its ``query``.
public protocol TypedQueryBuilding<Element>: Sendable {
  /// The type of the results.
  associatedtype Element: FieldKeyed

  /// The same query without the type.
  var query: Query { get }
}

/// A query whose results are values of a type. It is a value: each call returns a refined copy.
public struct TypedQuery<Element: FieldKeyed>: TypedQueryBuilding {
  public let query: Query

  init(_ query: Query) {
    self.query = query
  }
}

// MARK: - Filters

extension TypedQueryBuilding {
  /// Keeps only documents that satisfy `filter`, such as `\.userID == userID`.
  public func `where`(_ filter: TypedFilter<Element>) -> TypedQuery<Element> {
    TypedQuery(query.whereFilter(filter.filter))
  }

  /// Keeps only documents that have one of `values`, up to 30, in the field.
  ///
  /// - Throws: `invalidArgument` for a key path that the type doesn't list, or a value that doesn't
  ///   encode. The other filters throw the same.
  public func `where`<Property: Encodable>(
    _ field: KeyPath<Element, Property>, in values: [Property]
  ) throws(DatabaseError) -> TypedQuery<Element> {
    self.where(try .where(field, in: values))
  }

  /// Keeps only documents whose field has a value that is none of `values`, up to 10.
  public func `where`<Property: Encodable>(
    _ field: KeyPath<Element, Property>, notIn values: [Property]
  ) throws(DatabaseError) -> TypedQuery<Element> {
    self.where(try .where(field, notIn: values))
  }

  /// Keeps only documents whose array contains `element`.
  public func `where`<Elements: Collection>(
    _ field: KeyPath<Element, Elements>, arrayContains element: Elements.Element
  ) throws(DatabaseError) -> TypedQuery<Element> where Elements.Element: Encodable {
    self.where(try .where(field, arrayContains: element))
  }

  /// Does the same for an optional property.
  public func `where`<Elements: Collection>(
    _ field: KeyPath<Element, Elements?>, arrayContains element: Elements.Element
  ) throws(DatabaseError) -> TypedQuery<Element> where Elements.Element: Encodable {
    self.where(try .where(field, arrayContains: element))
  }

  /// Keeps only documents whose array contains one of `elements`, up to 30.
  public func `where`<Elements: Collection>(
    _ field: KeyPath<Element, Elements>, arrayContainsAny elements: [Elements.Element]
  ) throws(DatabaseError) -> TypedQuery<Element> where Elements.Element: Encodable {
    self.where(try .where(field, arrayContainsAny: elements))
  }

  /// Does the same for an optional property.
  public func `where`<Elements: Collection>(
    _ field: KeyPath<Element, Elements?>, arrayContainsAny elements: [Elements.Element]
  ) throws(DatabaseError) -> TypedQuery<Element> where Elements.Element: Encodable {
    self.where(try .where(field, arrayContainsAny: elements))
  }
}

// MARK: - Order, cursors, limits

extension TypedQueryBuilding {
  /// Sorts by a field, after the fields of earlier orders. Documents without the field are left out
  /// (§4.5).
  ///
  /// - Throws: `invalidArgument` for a key path that the type doesn't list.
  public func order(
    by field: PartialKeyPath<Element>, descending: Bool = false
  ) throws(DatabaseError) -> TypedQuery<Element> {
    TypedQuery(query.order(by: try Element.field(field), descending: descending))
  }

  /// Starts at the first document that equals `values` in the fields that the query is sorted by,
  /// or that follows them in the order (§4.6).
  ///
  /// - Throws: `invalidArgument` for a value that doesn't encode. The other cursors throw the same.
  public func start<each Property: Encodable>(
    at values: repeat each Property
  ) throws(DatabaseError) -> TypedQuery<Element> {
    TypedQuery(query.start(at: try Element.cursorValues(repeat each values)))
  }

  /// Starts after all documents that equal `values`.
  public func start<each Property: Encodable>(
    after values: repeat each Property
  ) throws(DatabaseError) -> TypedQuery<Element> {
    TypedQuery(query.start(after: try Element.cursorValues(repeat each values)))
  }

  /// Ends with the last document that equals `values`.
  public func end<each Property: Encodable>(
    at values: repeat each Property
  ) throws(DatabaseError) -> TypedQuery<Element> {
    TypedQuery(query.end(at: try Element.cursorValues(repeat each values)))
  }

  /// Ends before the first document that equals `values`.
  public func end<each Property: Encodable>(
    before values: repeat each Property
  ) throws(DatabaseError) -> TypedQuery<Element> {
    TypedQuery(query.end(before: try Element.cursorValues(repeat each values)))
  }

  /// Starts after a document of an earlier result of ``query``, for the next page. Documents with
  /// equal sort values are told apart by their names.
  ///
  /// - Throws: `invalidArgument` for a document that doesn't exist, or lacks a field that the query
  ///   is sorted by.
  public func start(
    afterDocument document: DocumentSnapshot
  ) throws(DatabaseError) -> TypedQuery<Element> {
    TypedQuery(try query.start(afterDocument: document))
  }

  /// Limits the query to its first `count` results.
  public func limit(to count: Int) -> TypedQuery<Element> { TypedQuery(query.limit(to: count)) }

  /// Limits the query to its last `count` results, in the query's order. The query runs from the
  /// end, so it needs the index of the opposite order (§4.7).
  public func limit(toLast count: Int) -> TypedQuery<Element> {
    TypedQuery(query.limit(toLast: count))
  }
}

extension FieldKeyed {
  fileprivate static func cursorValues<each Property: Encodable>(
    _ values: repeat each Property
  ) throws(DatabaseError) -> [Value] {
    var encoded: [Value] = []
    let encoder = documentEncoder
    for value in repeat each values {
      encoded.append(try encoder.fieldValue(value, in: .documentID))
    }
    return encoded
  }
}
