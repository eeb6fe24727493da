public import DocumentModel
public import FoundationEssentials

/// A property that is stored as the time of the commit where it is `nil` (§7.3).
///
/// ```swift
/// struct Task: Codable {
///   var title: String
///   @ServerTimestamp var createdTime: Timestamp?
/// }
/// ```
///
/// A value is stored as it is; so what was read and is written again keeps its time. A field that
/// is missing or null decodes as `nil`. The property works in nested types too, but not inside of
/// an array, whose elements no transform can reach.
@propertyWrapper
public struct ServerTimestamp<Value: ServerTimestampWrappable> {
  /// The time; `nil` asks for the commit's.
  public var wrappedValue: Value?

  /// A time, or `nil` for the commit's.
  public init(wrappedValue: Value?) {
    self.wrappedValue = wrappedValue
  }
}

/// What ``ServerTimestamp`` can hold: ``Timestamp`` and `Date`.
public protocol ServerTimestampWrappable {
  /// The time that was read.
  static func wrap(_ timestamp: Timestamp) throws -> Self
  /// The time that is written.
  static func unwrap(_ value: Self) throws -> Timestamp
}

extension Timestamp: ServerTimestampWrappable {
  /// The time itself.
  public static func wrap(_ timestamp: Timestamp) throws -> Timestamp { timestamp }
  /// The time itself.
  public static func unwrap(_ value: Timestamp) throws -> Timestamp { value }
}

extension Date: ServerTimestampWrappable {
  /// The time as a date.
  public static func wrap(_ timestamp: Timestamp) throws -> Date { Date(timestamp) }
  /// The date as a time.
  public static func unwrap(_ value: Date) throws -> Timestamp { try Timestamp(value) }
}

extension ServerTimestamp: Sendable where Value: Sendable {}
extension ServerTimestamp: Equatable where Value: Equatable {}
extension ServerTimestamp: Hashable where Value: Hashable {}

extension ServerTimestamp: Decodable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    wrappedValue =
      container.decodeNil() ? nil : try Value.wrap(container.decode(Timestamp.self))
  }
}

extension ServerTimestamp: DecodableFromNothing {
  package static var nothing: ServerTimestamp { ServerTimestamp(wrappedValue: nil) }
}

extension ServerTimestamp: Encodable {
  /// - Throws: for `nil`, in every encoder that makes no document.
  public func encode(to encoder: any Encoder) throws {
    if let wrappedValue {
      var container = encoder.singleValueContainer()
      return try container.encode(Value.unwrap(wrappedValue))
    }
    guard let encoder = encoder as? FieldEncoder else {
      throw EncodingError.invalidValue(
        self,
        EncodingError.Context(
          codingPath: encoder.codingPath,
          debugDescription: "Only a document gets the time of its commit."))
    }
    encoder.setChange(.serverTimestamp)
  }
}
