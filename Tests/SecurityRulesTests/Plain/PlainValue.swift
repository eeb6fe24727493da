import HearthDocumentModel

/// A value of rules in the plainest form.
enum PlainValue: Equatable {
  case null
  case bool(Bool)
  case int(Int64)
  case float(Double)
  case string(String)
  case list([PlainValue])
  case map([String: PlainValue])
  case set([PlainValue])

  var type: String {
    switch self {
    case .null: "null"
    case .bool: "bool"
    case .int: "int"
    case .float: "float"
    case .string: "string"
    case .list: "list"
    case .map: "map"
    case .set: "set"
    }
  }

  /// The value as rules write it; sets and maps are not written.
  var literal: String {
    switch self {
    case .null, .set: "null"
    case .bool(let value): value ? "true" : "false"
    case .int(let value): "\(value)"
    case .float(let value): "\(value)"
    case .string(let value): "'\(value)'"
    case .list(let elements): "[\(elements.map(\.literal).joined(separator: ", "))]"
    case .map(let entries):
      "{\(entries.map { "'\($0)': \($1.literal)" }.joined(separator: ", "))}"
    }
  }

  /// The value as a field of a document.
  var field: Value {
    switch self {
    case .null, .set: .null
    case .bool(let value): .boolean(value)
    case .int(let value): .integer(value)
    case .float(let value): .double(value)
    case .string(let value): .string(value)
    case .list(let elements): .array(elements.map(\.field))
    case .map(let entries): .map(MapValue(entries.map { ($0.key, $0.value.field) }))
    }
  }

  /// Whether the values are equal, where an integer may equal a float at these levels.
  func equals(_ other: PlainValue, atTop: Bool, inside: Bool) -> Bool {
    switch (self, other) {
    case (.null, .null): return true
    case (.bool(let left), .bool(let right)): return left == right
    case (.int(let left), .int(let right)): return left == right
    case (.float(let left), .float(let right)): return left == right
    case (.int(let left), .float(let right)), (.float(let right), .int(let left)):
      return atTop && Double(left) == right
    case (.string(let left), .string(let right)): return left == right
    case (.list(let left), .list(let right)):
      return left.count == right.count
        && zip(left, right).allSatisfy { $0.equals($1, atTop: inside, inside: inside) }
    case (.map(let left), .map(let right)):
      return Set(left.keys) == Set(right.keys)
        && left.allSatisfy { key, value in
          right[key]?.equals(value, atTop: inside, inside: inside) ?? false
        }
    case (.set(let left), .set(let right)):
      return left.count == right.count && left.allSatisfy { right.holds($0, loosely: true) }
    default: return false
    }
  }
}

extension [PlainValue] {
  /// Whether an element equals `value`; in sets an integer equals a float.
  func holds(_ value: PlainValue, loosely: Bool = false) -> Bool {
    contains { $0.equals(value, atTop: loosely, inside: loosely) }
  }
}
