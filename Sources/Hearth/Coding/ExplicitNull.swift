/// A property whose `nil` is stored as null instead of being left out.
///
/// ```swift
/// struct Task: Codable {
///   @ExplicitNull var assignee: String?
/// }
/// ```
///
/// Queries find null with `whereField("assignee", isEqualTo: .null)`. No query finds a missing
/// field (§2.4). Both decode as `nil`.
@propertyWrapper
public struct ExplicitNull<Value> {
  /// The property; `nil` is stored as a null.
  public var wrappedValue: Value?

  /// Creates a property that is stored as null if it is `nil`.
  public init(wrappedValue: Value?) {
    self.wrappedValue = wrappedValue
  }
}

extension ExplicitNull: Sendable where Value: Sendable {}
extension ExplicitNull: Equatable where Value: Equatable {}
extension ExplicitNull: Hashable where Value: Hashable {}

extension ExplicitNull: Encodable where Value: Encodable {
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    guard let wrappedValue else { return try container.encodeNil() }
    try container.encode(wrappedValue)
  }
}

extension ExplicitNull: Decodable where Value: Decodable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    wrappedValue = container.decodeNil() ? nil : try container.decode(Value.self)
  }
}

extension ExplicitNull: DecodableFromNothing {
  package static var nothing: ExplicitNull { ExplicitNull(wrappedValue: nil) }
}
