/// A property that is stored as null where it is `nil`, and not left out.
///
/// ```swift
/// struct Task: Codable {
///   @ExplicitNull var assignee: String?
/// }
/// ```
///
/// Queries find null by `whereField("assignee", isEqualTo: .null)`, and a missing field by nothing
/// (§2.4). Both decode as `nil`.
@propertyWrapper
public struct ExplicitNull<Value> {
  /// The property; `nil` is stored as a null.
  public var wrappedValue: Value?

  /// A property that stores a null for `nil`.
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
