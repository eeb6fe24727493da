public import DocumentModel
public import FoundationEssentials

/// A change of one field of a document of a type, by its key path.
public struct TypedChange<Root: FieldKeyed>: Sendable {
  let field: FieldPath
  let value: FieldValue

  private init(_ field: FieldPath, _ value: FieldValue) {
    self.field = field
    self.value = value
  }

  /// Sets the field to what the type's encoder makes of `value`. With `nil` it removes the field,
  /// or makes it null where that is the encoder's strategy for nil.
  ///
  /// It knows the value, and not how the property is declared: that of a property with
  /// ``ExplicitNull``, too, `nil` removes, where writing the whole value stores a null.
  ///
  /// - Throws: `invalidArgument` for a key path that the type doesn't list, or a value that doesn't
  ///   encode. So do the other changes.
  public static func set<Property: Encodable>(
    _ field: KeyPath<Root, Property>, to value: Property
  ) throws(DatabaseError) -> TypedChange {
    let path = try Root.field(field)
    let encoder = Root.documentEncoder
    let encoded = try encoder.fieldValue(value, in: path)
    if encoded == .null, value is any AbsentField, case .omit = encoder.nilEncodingStrategy {
      return TypedChange(path, .delete)
    }
    return TypedChange(path, .value(encoded))
  }

  /// Removes the field of a property that may be `nil`.
  public static func delete<Property>(
    _ field: KeyPath<Root, Property?>
  ) throws(DatabaseError) -> TypedChange {
    TypedChange(try Root.field(field), .delete)
  }

  // MARK: Times

  /// Sets the field to the time of the commit, in whole milliseconds.
  public static func serverTimestamp(
    _ field: KeyPath<Root, Date>
  ) throws(DatabaseError) -> TypedChange { try commitTime(field) }

  /// The same for a property of another type of time.
  public static func serverTimestamp(
    _ field: KeyPath<Root, Date?>
  ) throws(DatabaseError) -> TypedChange { try commitTime(field) }

  /// The same for a property of another type of time.
  public static func serverTimestamp(
    _ field: KeyPath<Root, Timestamp>
  ) throws(DatabaseError) -> TypedChange { try commitTime(field) }

  /// The same for a property of another type of time.
  public static func serverTimestamp(
    _ field: KeyPath<Root, Timestamp?>
  ) throws(DatabaseError) -> TypedChange { try commitTime(field) }

  private static func commitTime(
    _ field: PartialKeyPath<Root>
  ) throws(DatabaseError) -> TypedChange {
    TypedChange(try Root.field(field), .serverTimestamp)
  }

  // MARK: Numbers

  /// Adds a number to the field's; what isn't one counts as absent, and becomes the operand.
  public static func increment<Number: FieldNumber>(
    _ field: KeyPath<Root, Number>, by operand: Number
  ) throws(DatabaseError) -> TypedChange {
    TypedChange(try Root.field(field), .increment(operand))
  }

  /// The same for a property that may be `nil`.
  public static func increment<Number: FieldNumber>(
    _ field: KeyPath<Root, Number?>, by operand: Number
  ) throws(DatabaseError) -> TypedChange {
    TypedChange(try Root.field(field), .increment(operand))
  }

  /// Raises the field's number to one that is larger.
  public static func maximum<Number: FieldNumber>(
    _ field: KeyPath<Root, Number>, _ operand: Number
  ) throws(DatabaseError) -> TypedChange {
    TypedChange(try Root.field(field), .maximum(operand))
  }

  /// The same for a property that may be `nil`.
  public static func maximum<Number: FieldNumber>(
    _ field: KeyPath<Root, Number?>, _ operand: Number
  ) throws(DatabaseError) -> TypedChange {
    TypedChange(try Root.field(field), .maximum(operand))
  }

  /// Lowers the field's number to one that is smaller.
  public static func minimum<Number: FieldNumber>(
    _ field: KeyPath<Root, Number>, _ operand: Number
  ) throws(DatabaseError) -> TypedChange {
    TypedChange(try Root.field(field), .minimum(operand))
  }

  /// The same for a property that may be `nil`.
  public static func minimum<Number: FieldNumber>(
    _ field: KeyPath<Root, Number?>, _ operand: Number
  ) throws(DatabaseError) -> TypedChange {
    TypedChange(try Root.field(field), .minimum(operand))
  }

  // MARK: Arrays

  /// Appends the elements that the field's array doesn't have yet.
  public static func arrayUnion<Elements: Collection>(
    _ field: KeyPath<Root, Elements>, _ elements: [Elements.Element]
  ) throws(DatabaseError) -> TypedChange where Elements.Element: Encodable {
    let (path, elements) = try TypedFilter<Root>.operands(field, elements)
    return TypedChange(path, .arrayUnion(elements))
  }

  /// The same for a property that may be `nil`.
  public static func arrayUnion<Elements: Collection>(
    _ field: KeyPath<Root, Elements?>, _ elements: [Elements.Element]
  ) throws(DatabaseError) -> TypedChange where Elements.Element: Encodable {
    let (path, elements) = try TypedFilter<Root>.operands(field, elements)
    return TypedChange(path, .arrayUnion(elements))
  }

  /// Removes every element that equals one of these from the field's array.
  public static func arrayRemove<Elements: Collection>(
    _ field: KeyPath<Root, Elements>, _ elements: [Elements.Element]
  ) throws(DatabaseError) -> TypedChange where Elements.Element: Encodable {
    let (path, elements) = try TypedFilter<Root>.operands(field, elements)
    return TypedChange(path, .arrayRemove(elements))
  }

  /// The same for a property that may be `nil`.
  public static func arrayRemove<Elements: Collection>(
    _ field: KeyPath<Root, Elements?>, _ elements: [Elements.Element]
  ) throws(DatabaseError) -> TypedChange where Elements.Element: Encodable {
    let (path, elements) = try TypedFilter<Root>.operands(field, elements)
    return TypedChange(path, .arrayRemove(elements))
  }
}

/// A property that may be `nil`, as against a `Value` that is null.
private protocol AbsentField {}

extension Optional: AbsentField {}
