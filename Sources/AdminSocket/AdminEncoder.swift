import HearthFirestoreJSON

/// Writes a message as JSON on one line: the members of each value in the order of their
/// declarations, without those that are `nil`.
package final class AdminEncoder {
  private var bytes: [UInt8] = []
  /// The bracket that ends the value that is being written; `nil` before an object or a list.
  private var end: UInt8?
  /// Whether the object or list is still empty.
  private var isEmpty = true

  private init() {}

  /// Appends a message.
  package static func append(_ message: some Encodable, to bytes: inout [UInt8]) {
    if let leaf = message as? any AdminLeaf { return leaf.appendJSON(to: &bytes) }
    let encoder = AdminEncoder()
    // Moved there and back, so that the bytes are never copied.
    swap(&encoder.bytes, &bytes)
    do {
      try encoder.append(message)
    } catch {
      preconditionFailure("\(message) can't cross the socket: \(error)")
    }
    swap(&encoder.bytes, &bytes)
  }

  fileprivate func append(_ value: some Encodable) throws {
    if let leaf = value as? any AdminLeaf { return leaf.appendJSON(to: &bytes) }
    let (start, outer) = (bytes.count, (end, isEmpty))
    (end, isEmpty) = (nil, true)
    try value.encode(to: self)
    // A type without members writes nothing.
    if bytes.count == start { begin("{", end: "}") }
    if let end { bytes.append(end) }
    (end, isEmpty) = outer
  }

  fileprivate func begin(_ start: Unicode.Scalar, end: Unicode.Scalar) {
    guard self.end == nil else { return }
    bytes.append(UInt8(ascii: start))
    self.end = UInt8(ascii: end)
  }

  /// Begins an element of a list, or with a name a member of an object.
  fileprivate func beginPart(_ name: String? = nil) {
    if !isEmpty { bytes.append(UInt8(ascii: ",")) }
    isEmpty = false
    guard let name else { return }
    name.appendJSON(to: &bytes)
    bytes.append(UInt8(ascii: ":"))
  }

  fileprivate static func refuseNesting() -> Never {
    preconditionFailure("A message writes its members as values, and not by nested containers.")
  }
}

extension AdminEncoder: Encoder {
  package var codingPath: [any CodingKey] { [] }
  package var userInfo: [CodingUserInfoKey: Any] { [:] }

  package func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    begin("{", end: "}")
    return KeyedEncodingContainer(EncodedMembers(encoder: self))
  }

  package func unkeyedContainer() -> any UnkeyedEncodingContainer {
    begin("[", end: "]")
    return EncodedElements(encoder: self)
  }

  package func singleValueContainer() -> any SingleValueEncodingContainer {
    EncodedValue(encoder: self)
  }
}

private struct EncodedMembers<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: AdminEncoder
  var codingPath: [any CodingKey] { [] }

  func encodeNil(forKey key: Key) throws { try encode(JSONValue.null, forKey: key) }

  func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    encoder.beginPart(key.stringValue)
    try encoder.append(value)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy keyType: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> { AdminEncoder.refuseNesting() }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    AdminEncoder.refuseNesting()
  }

  func superEncoder() -> any Encoder { AdminEncoder.refuseNesting() }
  func superEncoder(forKey key: Key) -> any Encoder { AdminEncoder.refuseNesting() }
}

private struct EncodedElements: UnkeyedEncodingContainer {
  let encoder: AdminEncoder
  private(set) var count = 0
  var codingPath: [any CodingKey] { [] }

  init(encoder: AdminEncoder) {
    self.encoder = encoder
  }

  mutating func encodeNil() throws { try encode(JSONValue.null) }

  mutating func encode<T: Encodable>(_ value: T) throws {
    count += 1
    encoder.beginPart()
    try encoder.append(value)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy keyType: Nested.Type
  ) -> KeyedEncodingContainer<Nested> { AdminEncoder.refuseNesting() }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { AdminEncoder.refuseNesting() }
  func superEncoder() -> any Encoder { AdminEncoder.refuseNesting() }
}

private struct EncodedValue: SingleValueEncodingContainer {
  let encoder: AdminEncoder
  var codingPath: [any CodingKey] { [] }

  func encodeNil() throws { try encode(JSONValue.null) }
  func encode<T: Encodable>(_ value: T) throws { try encoder.append(value) }
}
