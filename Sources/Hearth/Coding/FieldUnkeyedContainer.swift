import HearthDocumentModel
import HearthStorageFormat

/// A container for the elements of an array, which a type encodes one after the other.
struct FieldUnkeyedContainer: UnkeyedEncodingContainer {
  private let encoder: FieldEncoder

  init(_ encoder: FieldEncoder) {
    self.encoder = encoder
  }

  var codingPath: [any CodingKey] { encoder.codingPath }
  var count: Int { encoder.elementCount }

  func encodeNil() { encoder.append(.null) }

  func encode<T: Encodable>(_ value: T) throws {
    try encoder.appendElement(value)
  }

  private func appendExact(_ integer: some FixedWidthInteger) throws {
    encoder.append(try encoder.exact(integer, encoder.nextStep))
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) -> KeyedEncodingContainer<NestedKey> {
    encoder.deferring(encoder.nextStep).container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    encoder.deferring(encoder.nextStep).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { encoder.deferring(encoder.nextStep) }
}

extension FieldUnkeyedContainer {
  func encode(_ value: Bool) { encoder.append(.boolean(value)) }
  func encode(_ value: String) { encoder.append(.string(value)) }
  func encode(_ value: Double) { encoder.append(.double(value)) }
  func encode(_ value: Float) { encoder.append(.double(Double(value))) }
  func encode(_ value: Int) { encoder.append(.integer(Int64(value))) }
  func encode(_ value: Int8) { encoder.append(.integer(Int64(value))) }
  func encode(_ value: Int16) { encoder.append(.integer(Int64(value))) }
  func encode(_ value: Int32) { encoder.append(.integer(Int64(value))) }
  func encode(_ value: Int64) { encoder.append(.integer(value)) }
  func encode(_ value: Int128) throws { try appendExact(value) }
  func encode(_ value: UInt) throws { try appendExact(value) }
  func encode(_ value: UInt8) { encoder.append(.integer(Int64(value))) }
  func encode(_ value: UInt16) { encoder.append(.integer(Int64(value))) }
  func encode(_ value: UInt32) { encoder.append(.integer(Int64(value))) }
  func encode(_ value: UInt64) throws { try appendExact(value) }
  func encode(_ value: UInt128) throws { try appendExact(value) }
}

/// Encoding of a single value without a container around it.
extension FieldEncoder: SingleValueEncodingContainer {
  func encodeNil() { setValue(.null) }

  func encode<T: Encodable>(_ value: T) throws { try setEncoded(value) }

  func encode(_ value: Bool) { setValue(.boolean(value)) }
  func encode(_ value: String) { setValue(.string(value)) }
  func encode(_ value: Double) { setValue(.double(value)) }
  func encode(_ value: Float) { setValue(.double(Double(value))) }
  func encode(_ value: Int) { setValue(.integer(Int64(value))) }
  func encode(_ value: Int8) { setValue(.integer(Int64(value))) }
  func encode(_ value: Int16) { setValue(.integer(Int64(value))) }
  func encode(_ value: Int32) { setValue(.integer(Int64(value))) }
  func encode(_ value: Int64) { setValue(.integer(value)) }
  func encode(_ value: Int128) throws { setValue(try exact(value, nil)) }
  func encode(_ value: UInt) throws { setValue(try exact(value, nil)) }
  func encode(_ value: UInt8) { setValue(.integer(Int64(value))) }
  func encode(_ value: UInt16) { setValue(.integer(Int64(value))) }
  func encode(_ value: UInt32) { setValue(.integer(Int64(value))) }
  func encode(_ value: UInt64) throws { setValue(try exact(value, nil)) }
  func encode(_ value: UInt128) throws { setValue(try exact(value, nil)) }
}
