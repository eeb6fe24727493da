// The bytes of messages: fields one after the other, each with its key.
//
//   part    | content
//   --------+--------------------------------------------------------------------
//   key     | varint: the field's number times 8, plus the kind of its content
//   content | kind 0: varint; 1: 8 bytes; 2: length as a varint, bytes; 5: 4 bytes
enum WireContent {
  case varint(UInt64)
  case fixed64(UInt64)
  case bytes(ArraySlice<UInt8>)
  case fixed32(UInt32)
}

extension [UInt8] {
  mutating func appendVarint(_ value: UInt64) {
    var value = value
    while value >= 0x80 {
      append(UInt8(truncatingIfNeeded: value) | 0x80)
      value >>= 7
    }
    append(UInt8(truncatingIfNeeded: value))
  }

  mutating func appendField(_ number: Int, _ content: WireContent) {
    func key(_ kind: Int) -> UInt64 { UInt64(number << 3 | kind) }
    switch content {
    case .varint(let value):
      appendVarint(key(0))
      appendVarint(value)
    case .fixed64(let value):
      appendVarint(key(1))
      for shift in stride(from: 0, to: 64, by: 8) {
        append(UInt8(truncatingIfNeeded: value >> shift))
      }
    case .bytes(let bytes):
      appendVarint(key(2))
      appendVarint(UInt64(bytes.count))
      append(contentsOf: bytes)
    case .fixed32(let value):
      appendVarint(key(5))
      for shift in stride(from: 0, to: 32, by: 8) {
        append(UInt8(truncatingIfNeeded: value >> shift))
      }
    }
  }
}

/// Reads the fields of a message from its bytes.
struct WireReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) {
    rest = bytes
  }

  /// Returns the next field; `nil` at the end, and where the bytes are no message.
  mutating func next() -> (number: Int, content: WireContent)? {
    guard let key = varint() else { return nil }
    let number = Int(truncatingIfNeeded: key >> 3)
    switch key & 7 {
    case 0: return varint().map { (number, .varint($0)) }
    case 1: return fixed(8).map { (number, .fixed64($0)) }
    case 2:
      guard let count = varint(), count <= UInt64(rest.count) else { return nil }
      defer { rest = rest.dropFirst(Int(count)) }
      return (number, .bytes(rest.prefix(Int(count))))
    case 5: return fixed(4).map { (number, .fixed32(UInt32(truncatingIfNeeded: $0))) }
    default: return nil
    }
  }

  mutating func varint() -> UInt64? {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while let byte = rest.popFirst(), shift < 70 {
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
    return nil
  }

  private mutating func fixed(_ count: Int) -> UInt64? {
    guard rest.count >= count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count).reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
