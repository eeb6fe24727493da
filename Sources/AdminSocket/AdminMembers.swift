package import DocumentModel
package import FirestoreJSON

/// The members of an object that came over the socket, by name.
///
/// Each read throws `invalidArgument` for a member that is missing or has another type. The error
/// names the member. A member that is null counts as missing.
package struct AdminMembers {
  private let members: [(String, JSONValue)]

  package init(_ json: JSONValue) throws(DatabaseError) {
    guard case .object(let members) = json else {
      throw .invalidArgument("A message of the admin socket is no object.")
    }
    self.members = members
  }

  /// Accesses a member by its name; `nil` if it is missing.
  package subscript(name: String) -> JSONValue? {
    guard let member = members.first(where: { $0.0.utf8Equal(name) }) else { return nil }
    if case .null = member.1 { return nil }
    return member.1
  }

  package func value(_ name: String) throws(DatabaseError) -> JSONValue {
    guard let value = self[name] else { throw invalid(name) }
    return value
  }

  package func string(_ name: String) throws(DatabaseError) -> String {
    guard case .string(let text) = try value(name) else { throw invalid(name) }
    return text
  }

  package func integer(_ name: String) throws(DatabaseError) -> Int {
    guard case .integer(let number) = try value(name) else { throw invalid(name) }
    return Int(number)
  }

  /// Returns a number; `nil` if it is missing.
  package func optionalNumber(_ name: String) throws(DatabaseError) -> Double? {
    switch self[name] {
    case nil: return nil
    case .double(let number): return number
    case .integer(let number): return Double(number)
    default: throw invalid(name)
    }
  }

  /// Returns a fraction, 0...1; `nil` if it is missing.
  package func optionalFraction(_ name: String) throws(DatabaseError) -> Double? {
    guard let number = try optionalNumber(name) else { return nil }
    guard (0...1).contains(number) else { throw invalid(name) }
    return number
  }

  /// Returns a Boolean; `false` if it is missing.
  package func boolean(_ name: String) throws(DatabaseError) -> Bool {
    guard let value = self[name] else { return false }
    guard case .boolean(let flag) = value else { throw invalid(name) }
    return flag
  }

  package func list<Element>(
    _ name: String, _ read: (JSONValue) throws(DatabaseError) -> Element
  ) throws(DatabaseError) -> [Element] {
    guard case .array(let items) = try value(name) else { throw invalid(name) }
    var elements: [Element] = []
    elements.reserveCapacity(items.count)
    for item in items { elements.append(try read(item)) }
    return elements
  }

  package func strings(_ name: String) throws(DatabaseError) -> [String] {
    try list(name) { json throws(DatabaseError) in
      guard case .string(let text) = json else { throw invalid(name) }
      return text
    }
  }

  package func message<Message: AdminMessage>(
    _ name: String, as type: Message.Type = Message.self
  ) throws(DatabaseError) -> Message {
    try Message(try value(name))
  }

  package func messages<Message: AdminMessage>(
    _ name: String, of type: Message.Type = Message.self
  ) throws(DatabaseError) -> [Message] {
    try list(name) { json throws(DatabaseError) in try Message(json) }
  }

  /// Returns a message; `nil` if it is missing.
  package func optionalMessage<Message: AdminMessage>(
    _ name: String, as type: Message.Type = Message.self
  ) throws(DatabaseError) -> Message? {
    guard let value = self[name] else { return nil }
    return try Message(value)
  }

  /// Returns a string; `nil` if it is missing.
  package func optionalString(_ name: String) throws(DatabaseError) -> String? {
    self[name] == nil ? nil : try string(name)
  }

  /// Returns an integer; `nil` if it is missing.
  package func optionalInteger(_ name: String) throws(DatabaseError) -> Int? {
    self[name] == nil ? nil : try integer(name)
  }

  /// Returns the choice whose raw value is the member's text.
  package func choice<Choice: RawRepresentable>(
    _ name: String, of type: Choice.Type = Choice.self
  ) throws(DatabaseError) -> Choice where Choice.RawValue == String {
    guard let choice = Choice(rawValue: try string(name)) else { throw invalid(name) }
    return choice
  }

  package func invalid(_ name: String) -> DatabaseError {
    .invalidArgument(
      "A message of the admin socket has no \(name), or one of another kind than expected: "
        + "perhaps the tool and the application are of different releases.")
  }
}

extension JSONValue {
  /// Returns an object of the members that have a value.
  package static func members(_ members: KeyValuePairs<String, JSONValue?>) -> JSONValue {
    .object(members.compactMap { name, value in value.map { (name, $0) } })
  }

  package static func list(_ messages: some Sequence<some AdminObject>) -> JSONValue {
    .array(messages.map(\.json))
  }

  package static func list(_ texts: some Sequence<String>) -> JSONValue {
    .array(texts.map(JSONValue.string))
  }

  package static func count(_ count: Int) -> JSONValue { .integer(Int64(count)) }
}
