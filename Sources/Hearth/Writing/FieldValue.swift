public import HearthDocumentModel

/// The new content of a field in a write: a value, or a change that depends on the present value.
///
/// Literals are values by themselves. A variable is wrapped in the case of its type.
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
  /// A value that is stored unchanged.
  case value(Value)
  /// A map of values, some of which may be changes.
  case map(FieldData)
  /// The removal of the field, in an update or a merge.
  case delete
  /// A change that the database computes.
  case transform(FieldTransform.Operation)
}

// MARK: - Changes

extension FieldValue {
  /// The time of the commit, in whole milliseconds.
  public static let serverTimestamp = FieldValue.transform(.serverTimestamp)

  /// Adds a number to the field's number. A value that isn't a number is replaced by the operand.
  /// Integers saturate at the ends of 64 bits.
  public static func increment(_ operand: some FieldNumber) -> FieldValue {
    .transform(.increment(operand.numberValue))
  }

  /// Raises the field's number to the operand, if that is larger.
  public static func maximum(_ operand: some FieldNumber) -> FieldValue {
    .transform(.maximum(operand.numberValue))
  }

  /// Lowers the field's number to the operand, if that is smaller.
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
  /// The null value.
  public static let null = FieldValue.value(.null)
  /// A boolean value.
  public static func boolean(_ value: Bool) -> FieldValue { .value(.boolean(value)) }
  /// An integer value.
  public static func integer(_ value: Int64) -> FieldValue { .value(.integer(value)) }
  /// A floating-point value.
  public static func double(_ value: Double) -> FieldValue { .value(.double(value)) }
  /// A timestamp value.
  public static func timestamp(_ value: Timestamp) -> FieldValue { .value(.timestamp(value)) }
  /// A string value.
  public static func string(_ value: String) -> FieldValue { .value(.string(value)) }
  /// A bytes value.
  public static func bytes(_ value: [UInt8]) -> FieldValue { .value(.bytes(value)) }
  /// A reference value: the full name of a document.
  public static func reference(_ value: DocumentName) -> FieldValue { .value(.reference(value)) }
  /// A geo point value.
  public static func geoPoint(_ value: GeoPoint) -> FieldValue { .value(.geoPoint(value)) }
  /// An array value.
  public static func array(_ elements: [Value]) -> FieldValue { .value(.array(elements)) }
  /// A vector value, for searches of nearest neighbours.
  public static func vector(_ elements: [Double]) -> FieldValue { .value(.vector(elements)) }

  // A literal is field data, which may hold changes.
  /// A map value, with fields that are plain values.
  @_disfavoredOverload
  public static func map(_ fields: MapValue) -> FieldValue { .value(.map(fields)) }
}

// There is no literal `nil`, as in `Value`.
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

/// A Swift number type that a field can hold, for arithmetic in the database (§7.3).
public protocol FieldNumber: Sendable {
  /// The number as a value.
  var numberValue: Value { get }

  /// Creates the number of a value; `nil` if the type can't hold it.
  init?(numberValue: Value)
}

extension FieldNumber where Self: FixedWidthInteger {
  /// The number as a value.
  public var numberValue: Value { .integer(Int64(clamping: self)) }

  /// Creates the number of a value; `nil` if the type can't hold it.
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

  /// Creates the number of a value, rounded if it has more digits than the type; `nil` for a value
  /// that isn't a number.
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
