import HearthDocumentModel
import FoundationEssentials

extension Value {
  /// Creates the value of a type that is stored as one of Firestore's own types; `nil` for other
  /// types, which encode themselves.
  ///
  /// - Throws: `CodingMismatch` for a value that Firestore's type can't hold.
  init?<T>(known value: T) throws {
    func known<Known>(as type: Known.Type) -> Known { unsafeBitCast(value, to: type) }
    // A cast would ask the runtime again for the result of these comparisons.
    if T.self == String.self {
      self = .string(known(as: String.self))
    } else if T.self == Int.self {
      self = .integer(Int64(known(as: Int.self)))
    } else if T.self == Double.self {
      self = .double(known(as: Double.self))
    } else if T.self == Bool.self {
      self = .boolean(known(as: Bool.self))
    } else if T.self == Date.self {
      self = .timestamp(try Value.timestamp(known(as: Date.self)))
    } else if T.self == Timestamp.self {
      self = .timestamp(known(as: Timestamp.self))
    } else if T.self == UUID.self {
      self = .string(known(as: UUID.self).uuidString)
    } else if T.self == URL.self {
      self = .string(known(as: URL.self).absoluteString)
    } else if T.self == Data.self {
      self = .bytes([UInt8](known(as: Data.self)))
    } else if T.self == [UInt8].self {
      self = .bytes(known(as: [UInt8].self))
    } else if T.self == Decimal.self {
      self = try Value(known(as: Decimal.self))
    } else if T.self == GeoPoint.self {
      self = .geoPoint(known(as: GeoPoint.self))
    } else if T.self == DocumentName.self {
      self = .reference(known(as: DocumentName.self))
    } else if T.self == DocumentReference.self {
      self = .reference(try known(as: DocumentReference.self).name())
    } else if T.self == VectorValue.self {
      self = .vector(known(as: VectorValue.self).array)
    } else if T.self == Value.self {
      self = known(as: Value.self)
    } else if T.self == MapValue.self {
      self = .map(known(as: MapValue.self))
    } else {
      return nil
    }
  }

  private static func timestamp(_ date: Date) throws -> Timestamp {
    do {
      return try Timestamp(date)
    } catch {
      throw CodingMismatch(
        found: "a Date", wanted: "a timestamp",
        sentence: "A Date outside of the years 1 to 9999 is no timestamp.")
    }
  }

  /// Creates an integer from a whole number, or else a double if that keeps all digits.
  private init(_ decimal: Decimal) throws {
    let text = decimal.description
    if let integer = Int64(text) {
      self = .integer(integer)
    } else if let double = Double(text), Decimal(shortestTextOf: double) == decimal {
      self = .double(double)
    } else {
      throw CodingMismatch(
        found: "a Decimal", wanted: "a double",
        sentence: "The Decimal \(text) has more digits than a double keeps.")
    }
  }

  /// - Throws: `CodingMismatch` for an integer that doesn't fit into 64 bits with sign.
  init<Integer: FixedWidthInteger>(exactly integer: Integer) throws {
    guard let exact = Int64(exactly: integer) else {
      throw CodingMismatch(
        found: "\(Integer.self)", wanted: "an integer",
        sentence: "\(integer) is beyond an integer's 64 bits.")
    }
    self = .integer(exact)
  }
}
