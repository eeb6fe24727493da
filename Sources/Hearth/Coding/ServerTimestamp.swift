public import HearthDocumentModel
public import FoundationEssentials

/// A property that is stored as the time of the commit if it is `nil` (§7.3).
///
/// ```swift
/// struct Task: Codable {
///   var title: String
///   @ServerTimestamp var createdTime: Timestamp?
/// }
/// ```
///
/// A value is stored unchanged, so a value that is read and written again keeps its time. A field
/// that is missing or null decodes as `nil`. The property works in nested types too, but not inside
/// an array, whose elements no transform can reach.
@propertyWrapper
public struct ServerTimestamp<Value: ServerTimestampWrappable> {
  /// The time; `nil` stands for the time of the commit.
  public var wrappedValue: Value?

  /// Creates a property with a time, or with `nil` for the time of the commit.
  public init(wrappedValue: Value?) {
    self.wrappedValue = wrappedValue
  }
}

/// A type that ``ServerTimestamp`` can hold: ``Timestamp`` or `Date`.
public protocol ServerTimestampWrappable {
  /// Returns the value for a time that was read.
  static func wrap(_ timestamp: Timestamp) throws -> Self
  /// Returns the time to write for a value.
  static func unwrap(_ value: Self) throws -> Timestamp
}

extension Timestamp: ServerTimestampWrappable {
  /// Returns the time itself.
  public static func wrap(_ timestamp: Timestamp) throws -> Timestamp { timestamp }
  /// Returns the time itself.
  public static func unwrap(_ value: Timestamp) throws -> Timestamp { value }
}

extension Date: ServerTimestampWrappable {
  /// Returns the time as a date.
  public static func wrap(_ timestamp: Timestamp) throws -> Date { Date(timestamp) }
  /// Returns the date as a time.
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
  /// Encodes the time, or the change that sets it.
  ///
  /// - Throws: an error for `nil`, in every encoder that doesn't make a document.
  public func encode(to encoder: any Encoder) throws {
    if let wrappedValue {
      var container = encoder.singleValueContainer()
      return try container.encode(Value.unwrap(wrappedValue))
    }
    try encoder.ofDocument(self, orThrow: "Only a document gets the time of its commit.")
      .setChange(.serverTimestamp)
  }
}
