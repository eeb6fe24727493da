import HearthDocumentModel
public import HearthQueryPlanning

/// A condition on documents of a type, written with its key paths.
///
/// ```swift
/// let urgent = try tasks.where(
///   \.userID == userID && (\.dueTime < tomorrow || .where(\.tags, arrayContains: "urgent")))
/// ```
///
/// The conditions match the same documents as the query's own filters (§2.4, §2.5).
public struct TypedFilter<Root: FieldKeyed>: Sendable {
  /// The condition, on fields.
  public let filter: Filter

  init(_ filter: Filter) {
    self.filter = filter
  }

  /// Returns a filter for documents that satisfy both conditions.
  public static func && (left: TypedFilter, right: TypedFilter) -> TypedFilter {
    if case .and(let filters) = left.filter { return TypedFilter(.and(filters + [right.filter])) }
    return TypedFilter(.and([left.filter, right.filter]))
  }

  /// Returns a filter for documents that satisfy at least one of the conditions.
  public static func || (left: TypedFilter, right: TypedFilter) -> TypedFilter {
    if case .or(let filters) = left.filter { return TypedFilter(.or(filters + [right.filter])) }
    return TypedFilter(.or([left.filter, right.filter]))
  }
}

// MARK: - Lists and arrays

extension TypedFilter {
  /// Returns a filter for documents that have one of `values`, up to 30, in the field.
  ///
  /// - Throws: `invalidArgument` for a key path that the type doesn't list, or a value that doesn't
  ///   encode. All conditions throw the same.
  public static func `where`<Property: Encodable>(
    _ field: KeyPath<Root, Property>, in values: [Property]
  ) throws(DatabaseError) -> TypedFilter {
    let (path, values) = try operands(field, values)
    return TypedFilter(.whereField(path, in: values))
  }

  /// Returns a filter for documents whose field has a value that is none of `values`, up to 10.
  public static func `where`<Property: Encodable>(
    _ field: KeyPath<Root, Property>, notIn values: [Property]
  ) throws(DatabaseError) -> TypedFilter {
    let (path, values) = try operands(field, values)
    return TypedFilter(.whereField(path, notIn: values))
  }

  /// Returns a filter for documents whose array contains `element`.
  public static func `where`<Elements: Collection>(
    _ field: KeyPath<Root, Elements>, arrayContains element: Elements.Element
  ) throws(DatabaseError) -> TypedFilter where Elements.Element: Encodable {
    let (path, elements) = try operands(field, [element])
    return TypedFilter(.whereField(path, arrayContains: elements[0]))
  }

  /// Returns the same filter for an optional property.
  public static func `where`<Elements: Collection>(
    _ field: KeyPath<Root, Elements?>, arrayContains element: Elements.Element
  ) throws(DatabaseError) -> TypedFilter where Elements.Element: Encodable {
    let (path, elements) = try operands(field, [element])
    return TypedFilter(.whereField(path, arrayContains: elements[0]))
  }

  /// Returns a filter for documents whose array contains one of `elements`, up to 30.
  public static func `where`<Elements: Collection>(
    _ field: KeyPath<Root, Elements>, arrayContainsAny elements: [Elements.Element]
  ) throws(DatabaseError) -> TypedFilter where Elements.Element: Encodable {
    let (path, elements) = try operands(field, elements)
    return TypedFilter(.whereField(path, arrayContainsAny: elements))
  }

  /// Returns the same filter for an optional property.
  public static func `where`<Elements: Collection>(
    _ field: KeyPath<Root, Elements?>, arrayContainsAny elements: [Elements.Element]
  ) throws(DatabaseError) -> TypedFilter where Elements.Element: Encodable {
    let (path, elements) = try operands(field, elements)
    return TypedFilter(.whereField(path, arrayContainsAny: elements))
  }

  /// Returns a field, and values in the form in which they are compared with it.
  static func operands(
    _ field: PartialKeyPath<Root>, _ values: [some Encodable]
  ) throws(DatabaseError) -> (FieldPath, [Value]) {
    let path = try Root.field(field)
    let encoder = Root.documentEncoder
    var encoded: [Value] = []
    for value in values { encoded.append(try encoder.fieldValue(value, in: path)) }
    return (path, encoded)
  }

  static func comparing(
    _ field: PartialKeyPath<Root>, _ value: some Encodable,
    _ condition: (FieldPath, Value) -> Filter
  ) throws(DatabaseError) -> TypedFilter {
    let (path, values) = try operands(field, [value])
    return TypedFilter(condition(path, values[0]))
  }
}
