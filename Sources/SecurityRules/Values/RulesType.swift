/// A type of the rules language, by its name in rules and in messages.
enum RulesType: String, Sendable {
  case null, bool, int, float, number, string, bytes, timestamp, duration, latlng, path, list, map
  case set, vector, constraint
  case mapDiff = "map_diff"

  /// The types after `is`, in the order of production's message.
  static let testable: [RulesType] = [
    .bool, .bytes, .constraint, .duration, .float, .int, .latlng, .list, .vector, .set, .number,
    .map, .string, .timestamp, .path, .mapDiff,
  ]

  /// Returns the type of this name after `is`; `nil` if there is none.
  static func testable(named name: String) -> RulesType? {
    RulesType(rawValue: name).flatMap { testable.contains($0) ? $0 : nil }
  }

  /// Whether values of type `other` are of this type.
  func includes(_ other: RulesType) -> Bool {
    self == other || self == .number && (other == .int || other == .float)
  }
}
