package import HearthDocumentModel
package import HearthFirestoreJSON

/// Reads a message from the JSON that ``AdminEncoder`` writes. A member that is null counts as
/// missing, and a missing Boolean is false. Members that the message's type doesn't know are
/// skipped.
package struct AdminDecoder {
  private let json: JSONValue
  /// The member that holds the value, for errors.
  private let name: String

  /// - Throws: `invalidArgument` for JSON of another form, which names the member.
  package static func read<Message: Decodable>(
    _ type: Message.Type = Message.self, from json: JSONValue
  ) throws(DatabaseError) -> Message {
    do {
      return try AdminDecoder(json: json, name: "content").value(type)
    } catch let error as DatabaseError {
      throw error
    } catch {
      throw invalid("content")
    }
  }

  fileprivate init(json: JSONValue, name: String) {
    self.json = json
    self.name = name
  }

  fileprivate func value<T: Decodable>(_ type: T.Type) throws -> T {
    if let leaf = type as? any AdminLeaf.Type {
      guard let value = try leaf.init(json: json) as? T else { throw AdminDecoder.invalid(name) }
      return value
    }
    do {
      return try T(from: self)
    } catch DecodingError.dataCorrupted(let context) {
      throw AdminDecoder.invalid(context.codingPath.last?.stringValue ?? name)
    } catch is DecodingError {
      throw AdminDecoder.invalid(name)
    }
  }

  static func invalid(_ name: String) -> DatabaseError {
    .invalidArgument(
      "A message of the admin socket has no \(name), or one of another kind than expected: "
        + "perhaps the tool and the application are of different releases.")
  }
}

extension AdminDecoder: Decoder {
  package var codingPath: [any CodingKey] { [] }
  package var userInfo: [CodingUserInfoKey: Any] { [:] }

  package func container<Key: CodingKey>(
    keyedBy type: Key.Type
  ) throws -> KeyedDecodingContainer<Key> {
    guard case .object(let members) = json else {
      throw DatabaseError.invalidArgument("A message of the admin socket is no object.")
    }
    return KeyedDecodingContainer(DecodedMembers(members: members))
  }

  package func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let elements) = json else { throw AdminDecoder.invalid(name) }
    return DecodedElements(elements: elements, name: name)
  }

  package func singleValueContainer() -> any SingleValueDecodingContainer { self }
}

extension AdminDecoder: SingleValueDecodingContainer {
  package func decodeNil() -> Bool { if case .null = json { true } else { false } }
  package func decode<T: Decodable>(_ type: T.Type) throws -> T { try value(type) }
}

private struct DecodedMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let members: [(String, JSONValue)]
  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { members.compactMap { Key(stringValue: $0.0) } }

  private func decoder(forKey key: Key) -> AdminDecoder? {
    let name = key.stringValue
    guard let member = members.first(where: { $0.0.utf8Equal(name) }) else { return nil }
    if case .null = member.1 { return nil }
    return AdminDecoder(json: member.1, name: name)
  }

  func contains(_ key: Key) -> Bool { decoder(forKey: key) != nil }
  func decodeNil(forKey key: Key) -> Bool { !contains(key) }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    if let decoder = decoder(forKey: key) { return try decoder.value(type) }
    guard let value = false as? T else { throw AdminDecoder.invalid(key.stringValue) }
    return value
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try superDecoder(forKey: key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try superDecoder(forKey: key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder {
    AdminDecoder(json: .object(members), name: "content")
  }

  func superDecoder(forKey key: Key) throws -> any Decoder {
    guard let decoder = decoder(forKey: key) else { throw AdminDecoder.invalid(key.stringValue) }
    return decoder
  }
}

private struct DecodedElements: UnkeyedDecodingContainer {
  let elements: [JSONValue]
  let name: String
  private(set) var currentIndex = 0
  var codingPath: [any CodingKey] { [] }
  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex == elements.count }

  init(elements: [JSONValue], name: String) {
    self.elements = elements
    self.name = name
  }

  mutating func superDecoder() throws -> any Decoder { try next() }

  private mutating func next() throws -> AdminDecoder {
    guard !isAtEnd else { throw AdminDecoder.invalid(name) }
    defer { currentIndex += 1 }
    return AdminDecoder(json: elements[currentIndex], name: name)
  }

  mutating func decodeNil() throws -> Bool {
    guard !isAtEnd, case .null = elements[currentIndex] else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try next().value(type) }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> { try next().container(keyedBy: type) }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try next().unkeyedContainer()
  }
}
