import HearthDocumentModel

/// Access to a tree whose form isn't certain: there is nothing in a value of another kind.
extension JSONValue {
  /// The last member with a name; `nil` if there is none.
  package subscript(name: String) -> JSONValue? { members.last { $0.0.utf8Equal(name) }?.1 }

  package var members: [(String, JSONValue)] {
    if case .object(let members) = self { members } else { [] }
  }

  package var elements: [JSONValue] {
    if case .array(let elements) = self { elements } else { [] }
  }

  package var string: String? {
    if case .string(let string) = self { string } else { nil }
  }

  package var boolean: Bool? {
    if case .boolean(let boolean) = self { boolean } else { nil }
  }

  /// Reads the members of the object that makes up all of `bytes`; `nil` for another text.
  package static func members(parsing bytes: [UInt8]) -> [(String, JSONValue)]? {
    guard case .object(let members)? = try? JSONValue(parsing: bytes) else { return nil }
    return members
  }

  /// The value as JSON, on one line.
  package var line: String { String(decoding: text, as: UTF8.self) }
}

extension Value {
  /// Creates the value of plain JSON, such as a token's claim.
  package init(plain json: JSONValue) {
    self =
      switch json {
      case .null: .null
      case .boolean(let value): .boolean(value)
      case .integer(let value): .integer(value)
      case .double(let value): .double(value)
      case .string(let value): .string(value)
      case .array(let elements): .array(elements.map(Value.init(plain:)))
      case .object(let members): .map(MapValue(plain: members))
      }
  }
}

extension MapValue {
  /// Creates the map of an object's members. The last of several with one name wins.
  package init(plain members: [(String, JSONValue)]) {
    self.init(members.map { ($0.0, Value(plain: $0.1)) })
  }
}
