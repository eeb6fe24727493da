public import DocumentModel

/// What a write gives a field: a value, or a change that depends on the value that it has.
///
/// Literals are values by themselves; what stands in a variable is wrapped in the case of its type.
///
/// ```swift
/// try tasks.document("milk").updateData([
///   "title": .string(title), "done": true, "reads": .increment(1), "draft": .delete,
///   "editedTime": .serverTimestamp, "tags": .arrayUnion(["shop"]),
/// ])
/// ```
///
/// A map may hold changes at any depth. An array can't: its elements are values (§7.3).
public enum FieldValue: Sendable, Equatable {
  /// A value, to be stored as it is.
  case value(Value)
  /// A map of values, some of which may be changes.
  case map(FieldData)
  /// Removes the field: in an update, or where data is merged.
  case delete
  /// A change that the database computes.
  case transform(FieldTransform.Operation)
}

// MARK: - Changes

extension FieldValue {
  /// The time of the commit, in whole milliseconds.
  public static let serverTimestamp = FieldValue.transform(.serverTimestamp)

  /// Adds a number to the field's; what isn't one counts as absent, and becomes the operand.
  /// Integers stop at the ends of 64 bits.
  public static func increment(_ operand: some FieldNumber) -> FieldValue {
    .transform(.increment(operand.numberValue))
  }

  /// Raises the field's number to one that is larger.
  public static func maximum(_ operand: some FieldNumber) -> FieldValue {
    .transform(.maximum(operand.numberValue))
  }

  /// Lowers the field's number to one that is smaller.
  public static func minimum(_ operand: some FieldNumber) -> FieldValue {
    .transform(.minimum(operand.numberValue))
  }

  /// Appends the elements that the field's array doesn't have yet.
  public static func arrayUnion(_ elements: [Value]) -> FieldValue {
    .transform(.arrayUnion(elements))
  }

  /// Removes every element that equals one of these from the field's array.
  public static func arrayRemove(_ elements: [Value]) -> FieldValue {
    .transform(.arrayRemove(elements))
  }
}

// MARK: - Values

extension FieldValue {
  /// Nothing, as a value.
  public static let null = FieldValue.value(.null)
  /// True or false.
  public static func boolean(_ value: Bool) -> FieldValue { .value(.boolean(value)) }
  /// A whole number.
  public static func integer(_ value: Int64) -> FieldValue { .value(.integer(value)) }
  /// A floating-point number.
  public static func double(_ value: Double) -> FieldValue { .value(.double(value)) }
  /// A moment.
  public static func timestamp(_ value: Timestamp) -> FieldValue { .value(.timestamp(value)) }
  /// A text.
  public static func string(_ value: String) -> FieldValue { .value(.string(value)) }
  /// Bytes.
  public static func bytes(_ value: [UInt8]) -> FieldValue { .value(.bytes(value)) }
  /// The full name of a document.
  public static func reference(_ value: DocumentName) -> FieldValue { .value(.reference(value)) }
  /// A place on the earth.
  public static func geoPoint(_ value: GeoPoint) -> FieldValue { .value(.geoPoint(value)) }
  /// Values in order.
  public static func array(_ elements: [Value]) -> FieldValue { .value(.array(elements)) }
  /// Numbers to find neighbours by.
  public static func vector(_ elements: [Double]) -> FieldValue { .value(.vector(elements)) }

  // A literal is field data, which may hold changes.
  /// Fields that are values alone.
  @_disfavoredOverload
  public static func map(_ fields: MapValue) -> FieldValue { .value(.map(fields)) }
}

// No literal `nil`, as `Value` has none.
extension FieldValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
  public init(integerLiteral value: Int64) { self = .integer(value) }
  public init(floatLiteral value: Double) { self = .double(value) }
  public init(stringLiteral value: String) { self = .string(value) }
  public init(arrayLiteral elements: Value...) { self = .array(elements) }
  public init(dictionaryLiteral elements: (String, FieldValue)...) {
    self = .map(FieldData(elements))
  }
}

/// A type of Swift whose numbers a field can hold, for arithmetic in the database (§7.3).
public protocol FieldNumber: Sendable {
  /// The number as a value.
  var numberValue: Value { get }

  /// The number that a value is, if the type can hold it.
  init?(numberValue: Value)
}

extension FieldNumber where Self: FixedWidthInteger {
  /// The number as a value.
  public var numberValue: Value { .integer(Int64(clamping: self)) }

  /// The number, if the type holds it.
  public init?(numberValue: Value) {
    switch numberValue {
    case .integer(let number): self.init(exactly: number)
    case .double(let number): self.init(exactly: number)
    default: return nil
    }
  }
}

extension FieldNumber where Self: BinaryFloatingPoint {
  /// The number as a value.
  public var numberValue: Value { .double(Double(self)) }

  /// A number that has more digits than the type is rounded.
  public init?(numberValue: Value) {
    switch numberValue {
    case .integer(let number): self.init(number)
    case .double(let number): self.init(number)
    default: return nil
    }
  }
}

extension Int: FieldNumber {}
extension Int64: FieldNumber {}
extension Int32: FieldNumber {}
extension Int16: FieldNumber {}
extension Int8: FieldNumber {}
extension UInt32: FieldNumber {}
extension UInt16: FieldNumber {}
extension UInt8: FieldNumber {}

extension Double: FieldNumber {}
extension Float: FieldNumber {}
