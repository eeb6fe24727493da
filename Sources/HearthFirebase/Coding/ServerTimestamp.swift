public import Foundation
import Hearth

/// A property that is stored as the time of the commit where it is `nil` (§7.3).
///
/// ```swift
/// struct Task: Codable {
///   var title: String
///   @ServerTimestamp var createdTime: Timestamp?
/// }
/// ```
///
/// A value is stored as it is. A field that is missing or null decodes as `nil`. An array can't
/// hold the property, since no transform reaches its elements.
@propertyWrapper
public struct ServerTimestamp<Value: ServerTimestampWrappable> {
  /// The time; `nil` asks for the commit's.
  public var wrappedValue: Value?

  /// A time, or `nil` for the commit's.
  public init(wrappedValue: Value?) {
    self.wrappedValue = wrappedValue
  }
}

/// Type that a ``ServerTimestamp`` can hold: ``Timestamp``, `Date`, and types of your own.
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
  public static func wrap(_ timestamp: Timestamp) throws -> Date { timestamp.dateValue() }
  /// The date as a time.
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

  /// - Throws: ``FirestoreEncodingError`` for `nil`, in other encoders than that of documents.
  public func encode(to encoder: any Encoder) throws {
    guard let wrappedValue else { return try FieldValue.serverTimestamp().encode(to: encoder) }
    var container = encoder.singleValueContainer()
    try container.encode(Value.unwrap(wrappedValue))
  }
}
