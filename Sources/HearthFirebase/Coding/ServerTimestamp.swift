public import Foundation
import Hearth

/// A property that is stored as the time of the commit if it is `nil` (§7.3).
///
/// ```swift
/// struct Task: Codable {
///   var title: String
///   @ServerTimestamp var createdTime: Timestamp?
/// }
/// ```
///
/// A value is stored unchanged. A field that is missing or null decodes as `nil`. An array can't
/// hold the property, since no transform reaches its elements.
@propertyWrapper
public struct ServerTimestamp<Value: ServerTimestampWrappable> {
  /// The time; `nil` stands for the time of the commit.
  public var wrappedValue: Value?

  /// Creates a property with a time, or with `nil` for the time of the commit.
  public init(wrappedValue: Value?) {
    self.wrappedValue = wrappedValue
  }
}

/// A type that a ``ServerTimestamp`` can hold: ``Timestamp``, `Date`, and types of your own.
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
  public static func wrap(_ timestamp: Timestamp) throws -> Date { timestamp.dateValue() }
  /// Returns the date as a time.
  public static func unwrap(_ value: Date) throws -> Timestamp { Timestamp(date: value) }
}

extension ServerTimestamp: Sendable where Value: Sendable {}
extension ServerTimestamp: Equatable where Value: Equatable {}
extension ServerTimestamp: Hashable where Value: Hashable {}

extension ServerTimestamp: DecodableFromNothing {
  package static var nothing: ServerTimestamp { ServerTimestamp(wrappedValue: nil) }
}

extension ServerTimestamp: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    wrappedValue = container.decodeNil() ? nil : try Value.wrap(container.decode(Timestamp.self))
  }

  /// Encodes the time, or the change that sets it.
  ///
  /// - Throws: ``FirestoreEncodingError`` for `nil`, in other encoders than that of documents.
  public func encode(to encoder: any Encoder) throws {
    guard let wrappedValue else { return try FieldValue.serverTimestamp().encode(to: encoder) }
    var container = encoder.singleValueContainer()
    try container.encode(Value.unwrap(wrappedValue))
  }
}
