import Foundation
import Hearth

// Values as a dictionary has them, and as Hearth has them:
//
//   Any, written                                             | Value     | Any, read
//   ---------------------------------------------------------+-----------+-------------------
//   NSNull, an Optional's nil                                | null      | NSNull
//   Bool, NSNumber of a Bool                                 | boolean   | NSNumber
//   any integer within 64 bits, NSNumber of one              | integer   | NSNumber
//   any floating-point number, Decimal, NSNumber of one      | double    | NSNumber
//   Date, Timestamp                                          | timestamp | Timestamp
//   String                                                   | string    | String
//   Data                                                     | bytes     | Data
//   DocumentReference                                        | reference | DocumentReference
//   GeoPoint                                                 | geo point | GeoPoint
//   [Any]                                                    | array     | [Any]
//   VectorValue                                              | vector    | VectorValue
//   [String: Any]                                            | map       | [String: Any]
//
// Values that were read can be cast as on Apple's platforms: an NSNumber to Int, to Double and,
// if it is 0, 1 or a Bool, to Bool; an array to [String].

extension Value {
  /// Creates the value of a type that contains no other values; `nil` for other types. `any` must
  /// not be an `Optional`.
  ///
  /// - Throws: `invalidArgument` for a value that Firestore's type can't hold.
  init?(scalar any: Any) throws(DatabaseError) {
    switch any {
    // The first case, because an NSNumber can be cast to every number type.
    case let number as NSNumber where type(of: any) is NSNumber.Type: self = try Value(number)
    case is NSNull: self = .null
    case let value as Bool: self = .boolean(value)
    case let value as String: self = .string(value)
    case let value as any BinaryInteger: self = try Value(integer: value)
    case let value as any BinaryFloatingPoint: self = .double(Value.double(value))
    case let value as Decimal: self = .double(NSDecimalNumber(decimal: value).doubleValue)
    case let value as Date: self = .timestamp(try Hearth.Timestamp(value))
    case let value as Timestamp: self = .timestamp(try value.stored())
    case let value as Data: self = .bytes([UInt8](value))
    case let value as GeoPoint: self = .geoPoint(try value.stored())
    case let value as VectorValue: self = .vector(value.array)
    case let value as DocumentReference: self = .reference(try value.name())
    default: return nil
    }
  }

  private init(_ number: NSNumber) throws(DatabaseError) {
    // The numbers of the two booleans are distinct objects, on every platform.
    if number === NSNumber(value: true) || number === NSNumber(value: false) {
      self = .boolean(number.boolValue)
      return
    }
    switch UInt8(bitPattern: number.objCType.pointee) {
    case UInt8(ascii: "d"), UInt8(ascii: "f"): self = .double(number.doubleValue)
    case UInt8(ascii: "Q"): self = try Value(integer: number.uint64Value)
    default: self = .integer(number.int64Value)
    }
  }

  private init(integer: some BinaryInteger) throws(DatabaseError) {
    guard let exact = Int64(exactly: integer) else {
      throw .invalidArgument("\(integer) is beyond an integer's 64 bits.")
    }
    self = .integer(exact)
  }

  private static func double(_ value: some BinaryFloatingPoint) -> Double { Double(value) }
}

// MARK: - Read

extension Value {
  /// Returns the value in the form that dictionaries have.
  func any(in firestore: Firestore) -> Any {
    switch self {
    case .null: NSNull()
    case .boolean(let value): NSNumber(value: value)
    case .integer(let value): NSNumber(value: value)
    case .double(let value): NSNumber(value: value)
    case .timestamp(let value): Timestamp(value)
    case .string(let value): value
    case .bytes(let value): Data(value)
    case .reference(let value): DocumentReference(value, in: firestore)
    case .geoPoint(let value): GeoPoint(value)
    case .array(let values): values.map { $0.any(in: firestore) }
    case .vector(let value): VectorValue(value)
    case .map(let value): value.dictionary(in: firestore)
    }
  }
}

extension MapValue {
  /// Returns the fields as a dictionary. If Unicode considers two names the same text, Swift's
  /// dictionaries don't tell them apart, and the result has one of them.
  func dictionary(in firestore: Firestore) -> [String: Any] {
    var dictionary: [String: Any] = [:]
    dictionary.reserveCapacity(count)
    for (name, value) in self { dictionary[name] = value.any(in: firestore) }
    return dictionary
  }
}
