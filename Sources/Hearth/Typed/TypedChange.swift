public import HearthDocumentModel
public import FoundationEssentials

/// A change of one field of a typed document, by its key path.
public struct TypedChange<Root: FieldKeyed>: Sendable {
  let field: FieldPath
  let value: FieldValue

  private init(_ field: FieldPath, _ value: FieldValue) {
    self.field = field
    self.value = value
  }

  /// Sets the field to the encoded `value`. `nil` removes the field, or makes it null if that is
  /// the encoder's strategy for `nil`.
  ///
  /// The declaration of the property has no effect: `nil` also removes the field of a property with
  /// ``ExplicitNull``, for which a write of the whole value stores a null.
  ///
  /// - Throws: `invalidArgument` for a key path that the type doesn't list, or a value that doesn't
  ///   encode. The other changes throw the same.
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

  /// Does the same for a property with another type of time.
  public static func serverTimestamp(
    _ field: KeyPath<Root, Date?>
  ) throws(DatabaseError) -> TypedChange { try commitTime(field) }

  /// Does the same for a property with another type of time.
  public static func serverTimestamp(
    _ field: KeyPath<Root, Timestamp>
  ) throws(DatabaseError) -> TypedChange { try commitTime(field) }

  /// Does the same for a property with another type of time.
  public static func serverTimestamp(
    _ field: KeyPath<Root, Timestamp?>
  ) throws(DatabaseError) -> TypedChange { try commitTime(field) }

  private static func commitTime(
    _ field: PartialKeyPath<Root>
  ) throws(DatabaseError) -> TypedChange {
    TypedChange(try Root.field(field), .serverTimestamp)
  }

  // MARK: Numbers

  /// Adds a number to the field's number. A value that isn't a number is replaced by the operand.
  public static func increment<Number: FieldNumber>(
    _ field: KeyPath<Root, Number>, by operand: Number
  ) throws(DatabaseError) -> TypedChange {
    TypedChange(try Root.field(field), .increment(operand))
  }

  /// Does the same for an optional property.
  public static func increment<Number: FieldNumber>(
    _ field: KeyPath<Root, Number?>, by operand: Number
  ) throws(DatabaseError) -> TypedChange {
    TypedChange(try Root.field(field), .increment(operand))
  }

  /// Raises the field's number to the operand, if that is larger.
  public static func maximum<Number: FieldNumber>(
    _ field: KeyPath<Root, Number>, _ operand: Number
  ) throws(DatabaseError) -> TypedChange {
    TypedChange(try Root.field(field), .maximum(operand))
  }

  /// Does the same for an optional property.
  public static func maximum<Number: FieldNumber>(
    _ field: KeyPath<Root, Number?>, _ operand: Number
  ) throws(DatabaseError) -> TypedChange {
    TypedChange(try Root.field(field), .maximum(operand))
  }

  /// Lowers the field's number to the operand, if that is smaller.
  public static func minimum<Number: FieldNumber>(
    _ field: KeyPath<Root, Number>, _ operand: Number
  ) throws(DatabaseError) -> TypedChange {
    TypedChange(try Root.field(field), .minimum(operand))
  }

  /// Does the same for an optional property.
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

  /// Does the same for an optional property.
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

  /// Does the same for an optional property.
  public static func arrayRemove<Elements: Collection>(
    _ field: KeyPath<Root, Elements?>, _ elements: [Elements.Element]
  ) throws(DatabaseError) -> TypedChange where Elements.Element: Encodable {
    let (path, elements) = try TypedFilter<Root>.operands(field, elements)
    return TypedChange(path, .arrayRemove(elements))
  }
}

/// An optional property, which is `nil` without a value, in contrast to a `Value` that is null.
private protocol AbsentField {}

extension Optional: AbsentField {}
