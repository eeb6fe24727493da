import DocumentModel

/// What a reader makes of JSON: a tree of JSON, or at once a tree of values.
protocol JSONBuildable {
  static var null: Self { get }
  static func boolean(_ value: Bool) -> Self
  static func integer(_ value: Int64) -> Self
  static func double(_ value: Double) -> Self
  static func string(_ value: String) -> Self
  static func array(_ elements: [Self]) -> Self
  /// In the order of the text, repeated names included.
  static func object(_ members: [(String, Self)]) -> Self
}

/// A JSON text as a tree that keeps what a message's meaning or its refusal may depend on: the
/// order of members, and members of the same name.
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
  /// The last of several members with one name wins.
  static func object(_ members: [(String, Value)]) -> Value { .map(MapValue(members)) }
}
