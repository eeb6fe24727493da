public import DocumentModel
import QueryPlanning

/// What typed queries are refined from and run by: a ``TypedCollection`` and a ``TypedQuery``.
///
/// Whatever a typed query lacks, its ``query`` has.
public protocol TypedQueryBuilding<Element>: Sendable {
  /// The type of the results.
  associatedtype Element: FieldKeyed

  /// The same query without the type.
  var query: Query { get }
}

/// A query whose results are values of a type: a value that each call refines.
public struct TypedQuery<Element: FieldKeyed>: TypedQueryBuilding {
  public let query: Query

  init(_ query: Query) {
    self.query = query
  }
}

// MARK: - Filters

extension TypedQueryBuilding {
  /// Only documents that satisfy `filter`, such as `\.userID == userID`.
  public func `where`(_ filter: TypedFilter<Element>) -> TypedQuery<Element> {
    TypedQuery(query.whereFilter(filter.filter))
  }

  /// Only documents that have one of `values` in the field, of up to 30.
  ///
  /// - Throws: `invalidArgument` for a key path that the type doesn't list, or a value that doesn't
  ///   encode. So do the other filters.
  public func `where`<Property: Encodable>(
    _ field: KeyPath<Element, Property>, in values: [Property]
  ) throws(DatabaseError) -> TypedQuery<Element> {
    self.where(try .where(field, in: values))
  }

  /// Only documents that have a value in the field that is none of `values`, of up to 10.
  public func `where`<Property: Encodable>(
    _ field: KeyPath<Element, Property>, notIn values: [Property]
  ) throws(DatabaseError) -> TypedQuery<Element> {
    self.where(try .where(field, notIn: values))
  }

  /// Only documents whose array has `element`.
  public func `where`<Elements: Collection>(
    _ field: KeyPath<Element, Elements>, arrayContains element: Elements.Element
  ) throws(DatabaseError) -> TypedQuery<Element> where Elements.Element: Encodable {
    self.where(try .where(field, arrayContains: element))
  }

  /// The same for a property that may be `nil`.
  public func `where`<Elements: Collection>(
    _ field: KeyPath<Element, Elements?>, arrayContains element: Elements.Element
  ) throws(DatabaseError) -> TypedQuery<Element> where Elements.Element: Encodable {
    self.where(try .where(field, arrayContains: element))
  }

  /// Only documents whose array has one of `elements`, of up to 30.
  public func `where`<Elements: Collection>(
    _ field: KeyPath<Element, Elements>, arrayContainsAny elements: [Elements.Element]
  ) throws(DatabaseError) -> TypedQuery<Element> where Elements.Element: Encodable {
    self.where(try .where(field, arrayContainsAny: elements))
  }

  /// The same for a property that may be `nil`.
  public func `where`<Elements: Collection>(
    _ field: KeyPath<Element, Elements?>, arrayContainsAny elements: [Elements.Element]
  ) throws(DatabaseError) -> TypedQuery<Element> where Elements.Element: Encodable {
    self.where(try .where(field, arrayContainsAny: elements))
  }
}

// MARK: - Order, cursors, limits

extension TypedQueryBuilding {
  /// Sorts by a field, behind the fields sorted by so far. Documents without it are left out
  /// (§4.5).
  ///
  /// - Throws: `invalidArgument` for a key path that the type doesn't list.
  public func order(
    by field: PartialKeyPath<Element>, descending: Bool = false
  ) throws(DatabaseError) -> TypedQuery<Element> {
    TypedQuery(query.order(by: try Element.field(field), descending: descending))
  }

  /// Starts at the first document that equals `values` in the fields that the query is sorted by,
  /// or would stand behind them (§4.6).
  ///
  /// - Throws: `invalidArgument` for a value that doesn't encode. So do the other cursors.
  public func start<each Property: Encodable>(
    at values: repeat each Property
  ) throws(DatabaseError) -> TypedQuery<Element> {
    TypedQuery(query.start(at: try Element.cursorValues(repeat each values)))
  }

  /// Starts behind all documents that equal `values`.
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

  /// Starts behind a document of an earlier answer of ``query``: the next page, also among equals.
  ///
  /// - Throws: `invalidArgument` for a document that doesn't exist, or lacks a field that the query
  ///   is sorted by.
  public func start(
    afterDocument document: DocumentSnapshot
  ) throws(DatabaseError) -> TypedQuery<Element> {
    TypedQuery(try query.start(afterDocument: document))
  }

  /// The first `count` results.
  public func limit(to count: Int) -> TypedQuery<Element> { TypedQuery(query.limit(to: count)) }

  /// The last `count` results, in the query's order. It runs from the end, so it needs the index of
  /// the opposite order (§4.7).
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
