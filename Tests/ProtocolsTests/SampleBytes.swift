import SwiftProtobuf

/// Bytes of a message in which every field of its definition has a value.
struct SampleBytes {
  let messages: [String: Google_Protobuf_DescriptorProto]

  /// Returns one field's bytes.
  func bytes(of field: Google_Protobuf_FieldDescriptorProto) -> [UInt8] {
    switch field.type {
    case .double: key(field, 1) + [0, 0, 0, 0, 0, 0, 0xF0, 0x3F]
    case .float: key(field, 5) + [0, 0, 0x80, 0x3F]
    case .bool, .int32, .int64, .uint32, .uint64, .enum:
      // Numbers of a list are packed.
      field.label == .repeated ? key(field, 2) + [1, 1] : key(field, 0) + [1]
    case .string: key(field, 2) + [1, UInt8(ascii: "s")]
    case .bytes: key(field, 2) + [1, 0xFF]
    default: key(field, 2) + lengthPrefixed(content(of: field))
    }
  }

  /// An empty message, or a map's entry with its key.
  private func content(of field: Google_Protobuf_FieldDescriptorProto) -> [UInt8] {
    guard let entry = messages[field.typeName], entry.options.mapEntry else { return [] }
    return entry.field.flatMap(bytes)
  }

  private func key(_ field: Google_Protobuf_FieldDescriptorProto, _ wire: Int32) -> [UInt8] {
    varint(UInt64(field.number << 3 | wire))
  }

  private func lengthPrefixed(_ bytes: [UInt8]) -> [UInt8] { varint(UInt64(bytes.count)) + bytes }

  private func varint(_ value: UInt64) -> [UInt8] {
    var (value, bytes) = (value, [UInt8]())
    while value >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: value) | 0x80)
      value >>= 7
    }
    return bytes + [UInt8(value)]
  }
}
