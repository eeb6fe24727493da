import HearthDocumentModel
import HearthStorageFormat

/// A container for the fields of a map, which a type encodes by its keys.
struct FieldKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  private let encoder: FieldEncoder

  init(_ encoder: FieldEncoder) {
    self.encoder = encoder
  }

  var codingPath: [any CodingKey] { encoder.codingPath }

  private func append(_ value: Value, _ key: Key) {
    encoder.append(value, named: encoder.name(of: key))
  }

  private func appendExact(_ integer: some FixedWidthInteger, _ key: Key) throws {
    let name = encoder.name(of: key)
    encoder.append(try encoder.exact(integer, .field(name)), named: name)
  }

  private func appendNilIfWanted(_ key: Key) {
    if encoder.encodesNil { append(.null, key) }
  }

  func encodeNil(forKey key: Key) { append(.null, key) }

  func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    try encoder.appendField(value, named: encoder.name(of: key))
  }

  func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) throws {
    guard let value else { return appendNilIfWanted(key) }
    try encode(value, forKey: key)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    encoder.deferring(.field(encoder.name(of: key))).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    encoder.deferring(.field(encoder.name(of: key))).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { encoder.deferring(.field("super")) }

  func superEncoder(forKey key: Key) -> any Encoder {
    encoder.deferring(.field(encoder.name(of: key)))
  }
}

// MARK: - Numbers, strings and booleans

extension FieldKeyedContainer {
  func encode(_ value: Bool, forKey key: Key) { append(.boolean(value), key) }

  func encode(_ value: String, forKey key: Key) { append(.string(value), key) }

  func encode(_ value: Double, forKey key: Key) { append(.double(value), key) }

  func encode(_ value: Float, forKey key: Key) { append(.double(Double(value)), key) }

  func encode(_ value: Int, forKey key: Key) { append(.integer(Int64(value)), key) }

  func encode(_ value: Int8, forKey key: Key) { append(.integer(Int64(value)), key) }

  func encode(_ value: Int16, forKey key: Key) { append(.integer(Int64(value)), key) }

  func encode(_ value: Int32, forKey key: Key) { append(.integer(Int64(value)), key) }

  func encode(_ value: Int64, forKey key: Key) { append(.integer(value), key) }

  func encode(_ value: Int128, forKey key: Key) throws { try appendExact(value, key) }

  func encode(_ value: UInt, forKey key: Key) throws { try appendExact(value, key) }

  func encode(_ value: UInt8, forKey key: Key) { append(.integer(Int64(value)), key) }

  func encode(_ value: UInt16, forKey key: Key) { append(.integer(Int64(value)), key) }

  func encode(_ value: UInt32, forKey key: Key) { append(.integer(Int64(value)), key) }

  func encode(_ value: UInt64, forKey key: Key) throws { try appendExact(value, key) }

  func encode(_ value: UInt128, forKey key: Key) throws { try appendExact(value, key) }

  func encodeIfPresent(_ value: Bool?, forKey key: Key) {
    guard let value else { return appendNilIfWanted(key) }
    encode(value, forKey: key)
  }

  func encodeIfPresent(_ value: String?, forKey key: Key) {
    guard let value else { return appendNilIfWanted(key) }
    encode(value, forKey: key)
  }

  func encodeIfPresent(_ value: Double?, forKey key: Key) {
    guard let value else { return appendNilIfWanted(key) }
    encode(value, forKey: key)
  }

  func encodeIfPresent(_ value: Float?, forKey key: Key) {
    guard let value else { return appendNilIfWanted(key) }
    encode(value, forKey: key)
  }

  func encodeIfPresent(_ value: Int?, forKey key: Key) {
    guard let value else { return appendNilIfWanted(key) }
    encode(value, forKey: key)
  }

  func encodeIfPresent(_ value: Int8?, forKey key: Key) {
    guard let value else { return appendNilIfWanted(key) }
    encode(value, forKey: key)
  }

  func encodeIfPresent(_ value: Int16?, forKey key: Key) {
    guard let value else { return appendNilIfWanted(key) }
    encode(value, forKey: key)
  }

  func encodeIfPresent(_ value: Int32?, forKey key: Key) {
    guard let value else { return appendNilIfWanted(key) }
    encode(value, forKey: key)
  }

  func encodeIfPresent(_ value: Int64?, forKey key: Key) {
    guard let value else { return appendNilIfWanted(key) }
    encode(value, forKey: key)
  }

  func encodeIfPresent(_ value: Int128?, forKey key: Key) throws {
    guard let value else { return appendNilIfWanted(key) }
    try encode(value, forKey: key)
  }

  func encodeIfPresent(_ value: UInt?, forKey key: Key) throws {
    guard let value else { return appendNilIfWanted(key) }
    try encode(value, forKey: key)
  }

  func encodeIfPresent(_ value: UInt8?, forKey key: Key) {
    guard let value else { return appendNilIfWanted(key) }
    encode(value, forKey: key)
  }

  func encodeIfPresent(_ value: UInt16?, forKey key: Key) {
    guard let value else { return appendNilIfWanted(key) }
    encode(value, forKey: key)
  }

  func encodeIfPresent(_ value: UInt32?, forKey key: Key) {
    guard let value else { return appendNilIfWanted(key) }
    encode(value, forKey: key)
  }

  func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws {
    guard let value else { return appendNilIfWanted(key) }
    try encode(value, forKey: key)
  }

  func encodeIfPresent(_ value: UInt128?, forKey key: Key) throws {
    guard let value else { return appendNilIfWanted(key) }
    try encode(value, forKey: key)
  }
}
