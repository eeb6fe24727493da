import DocumentModel
public import QueryPlanning

/// A condition on documents of a type, by its key paths.
///
/// ```swift
/// let urgent = try tasks.where(
///   \.userID == userID && (\.dueTime < tomorrow || .where(\.tags, arrayContains: "urgent")))
/// ```
///
/// What each condition finds is what the query's own filters do (§2.4, §2.5).
public struct TypedFilter<Root: FieldKeyed>: Sendable {
  /// The condition on fields.
  public let filter: Filter

  init(_ filter: Filter) {
    self.filter = filter
  }

  /// Documents that satisfy both.
  public static func && (left: TypedFilter, right: TypedFilter) -> TypedFilter {
    if case .and(let filters) = left.filter { return TypedFilter(.and(filters + [right.filter])) }
    return TypedFilter(.and([left.filter, right.filter]))
  }

  /// Documents that satisfy one of them, or both.
  public static func || (left: TypedFilter, right: TypedFilter) -> TypedFilter {
    if case .or(let filters) = left.filter { return TypedFilter(.or(filters + [right.filter])) }
    return TypedFilter(.or([left.filter, right.filter]))
  }
}

// MARK: - Lists and arrays

extension TypedFilter {
  /// Documents that have one of `values` in the field, of up to 30.
  ///
  /// - Throws: `invalidArgument` for a key path that the type doesn't list, or a value that doesn't
  ///   encode. So do all conditions.
  public static func `where`<Property: Encodable>(
    _ field: KeyPath<Root, Property>, in values: [Property]
  ) throws(DatabaseError) -> TypedFilter {
    let (path, values) = try operands(field, values)
    return TypedFilter(.whereField(path, in: values))
  }

  /// Documents that have a value in the field that is none of `values`, of up to 10.
  public static func `where`<Property: Encodable>(
    _ field: KeyPath<Root, Property>, notIn values: [Property]
  ) throws(DatabaseError) -> TypedFilter {
    let (path, values) = try operands(field, values)
    return TypedFilter(.whereField(path, notIn: values))
  }

  /// Documents whose array has `element`.
  public static func `where`<Elements: Collection>(
    _ field: KeyPath<Root, Elements>, arrayContains element: Elements.Element
  ) throws(DatabaseError) -> TypedFilter where Elements.Element: Encodable {
    let (path, elements) = try operands(field, [element])
    return TypedFilter(.whereField(path, arrayContains: elements[0]))
  }

  /// The same for a property that may be `nil`.
  public static func `where`<Elements: Collection>(
    _ field: KeyPath<Root, Elements?>, arrayContains element: Elements.Element
  ) throws(DatabaseError) -> TypedFilter where Elements.Element: Encodable {
    let (path, elements) = try operands(field, [element])
    return TypedFilter(.whereField(path, arrayContains: elements[0]))
  }

  /// Documents whose array has one of `elements`, of up to 30.
  public static func `where`<Elements: Collection>(
    _ field: KeyPath<Root, Elements>, arrayContainsAny elements: [Elements.Element]
  ) throws(DatabaseError) -> TypedFilter where Elements.Element: Encodable {
    let (path, elements) = try operands(field, elements)
    return TypedFilter(.whereField(path, arrayContainsAny: elements))
  }

  /// The same for a property that may be `nil`.
  public static func `where`<Elements: Collection>(
    _ field: KeyPath<Root, Elements?>, arrayContainsAny elements: [Elements.Element]
  ) throws(DatabaseError) -> TypedFilter where Elements.Element: Encodable {
    let (path, elements) = try operands(field, elements)
    return TypedFilter(.whereField(path, arrayContainsAny: elements))
  }

  /// A field, and values as it is compared with them.
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
