import HearthFirestoreJSON

extension JSONValue {
  /// Returns the value of a member; `nil` if there is none, and for no object.
  subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.last { $0.0 == name }?.1
  }

  /// The text; `nil` for another value.
  var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The members; `nil` for no object.
  var members: [(String, JSONValue)]? {
    if case .object(let members) = self { members } else { nil }
  }

  /// The JSON as text, on one line.
  var line: String { String(decoding: text, as: UTF8.self) }
}
