/// A Firestore value (§2.1).
public enum Value: Sendable {
  /// Null, which differs from an absent field (§2.4).
  case null
  /// A Boolean, true or false.
  case boolean(Bool)
  /// An integer of 64 bits.
  case integer(Int64)
  /// A floating-point number, NaN and the infinities included.
  case double(Double)
  /// A point in time, to the microsecond.
  case timestamp(Timestamp)
  /// A text, compared by its UTF-8 bytes.
  case string(String)
  /// Bytes of any meaning.
  case bytes([UInt8])
  // Indirect, so that every value fits into registers, and calls needn't copy it through memory.
  /// The full name of a document, whether it exists or not.
  indirect case reference(DocumentName)
  /// A point on Earth.
  case geoPoint(GeoPoint)
  /// A list of values. No element is itself an array.
  case array([Value])
  /// A vector of numbers, for nearest-neighbor queries (§4.10).
  case vector([Double])
  /// A map of fields inside a field.
  case map(MapValue)
}

extension Value: Equatable {
  /// Whether both hold the same data: 1 and 1.0 differ, 0.0 and -0.0 differ, all NaN are one.
  ///
  /// Queries compare with ``compare(_:)`` instead, where 1 equals 1.0.
  public static func == (left: Value, right: Value) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.boolean(let left), .boolean(let right)): left == right
    case (.integer(let left), .integer(let right)): left == right
    case (.double(let left), .double(let right)): isSame(left, right)
    case (.timestamp(let left), .timestamp(let right)): left == right
    case (.string(let left), .string(let right)): left.utf8Equal(right)
    case (.bytes(let left), .bytes(let right)): left == right
    case (.reference(let left), .reference(let right)): left == right
    case (.geoPoint(let left), .geoPoint(let right)): left == right
    case (.array(let left), .array(let right)): left == right
    case (.vector(let left), .vector(let right)):
      left.count == right.count && zip(left, right).allSatisfy(isSame)
    case (.map(let left), .map(let right)): left == right
    default: false
    }
  }

  private static func isSame(_ left: Double, _ right: Double) -> Bool {
    left.bitPattern == right.bitPattern || (left.isNaN && right.isNaN)
  }
}

// No literal `nil`: in `isPresent ? value : nil` it would silently be null where nothing was meant.
extension Value: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
  public init(integerLiteral value: Int64) { self = .integer(value) }
  public init(floatLiteral value: Double) { self = .double(value) }
  public init(stringLiteral value: String) { self = .string(value) }
  public init(arrayLiteral elements: Value...) { self = .array(elements) }
  public init(dictionaryLiteral elements: (String, Value)...) { self = .map(MapValue(elements)) }
}

extension Value {
  /// A class of values that are compared with each other, in the order of §2.2. Range filters stay
  /// inside one class (§2.5).
  public enum TypeClass: UInt8, Sendable, Hashable, Comparable, CaseIterable {
    /// The classes in the order of §2.2. Integers and doubles are one class.
    case null, boolean, number, timestamp, string, bytes, reference, geoPoint, array, vector, map

    public static func < (left: TypeClass, right: TypeClass) -> Bool {
      left.rawValue < right.rawValue
    }
  }

  /// The class of the value's type.
  public var typeClass: TypeClass {
    switch self {
    case .null: .null
    case .boolean: .boolean
    case .integer, .double: .number
    case .timestamp: .timestamp
    case .string: .string
    case .bytes: .bytes
    case .reference: .reference
    case .geoPoint: .geoPoint
    case .array: .array
    case .vector: .vector
    case .map: .map
    }
  }

  /// Whether the value is a double that is NaN.
  public var isNaN: Bool {
    if case .double(let value) = self { value.isNaN } else { false }
  }
}
