import HearthDocumentModel

/// A result of reading JSON: a tree of JSON, or directly a tree of values.
protocol JSONBuildable {
  static var null: Self { get }
  static func boolean(_ value: Bool) -> Self
  static func integer(_ value: Int64) -> Self
  static func double(_ value: Double) -> Self
  static func string(_ value: String) -> Self
  static func array(_ elements: [Self]) -> Self
  /// Creates an object. Its members are in the order of the text, repeated names included.
  static func object(_ members: [(String, Self)]) -> Self
}

/// JSON as a tree that keeps the order of members, and members with the same name: the meaning or
/// the refusal of a message may depend on these.
package enum JSONValue: Sendable {
  case null
  case boolean(Bool)
  case integer(Int64)
  case double(Double)
  case string(String)
  case array([JSONValue])
  case object([(String, JSONValue)])
}

extension JSONValue: JSONBuildable {}

extension Value: JSONBuildable {
  /// Returns a map. The last of several members with one name wins.
  static func object(_ members: [(String, Value)]) -> Value { .map(MapValue(members)) }
}
