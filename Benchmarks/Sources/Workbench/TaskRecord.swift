// The stored form of a document in the LevelDB contestants:
//
//   record := field count (1 byte), field*
//   field  := name byte count (1 byte), name, kind (1 byte), payload
//   payload of kind 0 integer: zigzag varint · 1 false · 2 true · 3 string: byte count, bytes
//           · 4 strings: varint count, then each as a string

/// The compact binary form of a document.
package enum TaskRecord {
  package static func encode(_ document: SampleDocument) -> [UInt8] {
    var bytes: [UInt8] = [UInt8(truncatingIfNeeded: document.fields.count)]
    for field in document.fields {
      bytes.append(UInt8(truncatingIfNeeded: field.name.utf8.count))
      bytes.append(contentsOf: field.name.utf8)
      switch field.value {
      case .integer(let integer):
        bytes.append(0)
        bytes.appendVarint(UInt64(bitPattern: (integer << 1) ^ (integer >> 63)))
      case .boolean(let boolean):
        bytes.append(boolean ? 2 : 1)
      case .string(let string):
        bytes.append(3)
        bytes.append(counted: string)
      case .strings(let strings):
        bytes.append(4)
        bytes.appendVarint(UInt64(strings.count))
        for string in strings { bytes.append(counted: string) }
      }
    }
    return bytes
  }
}

/// A bounds-checked position in stored bytes.
package struct RecordReader {
  private let bytes: UnsafeRawBufferPointer
  private(set) var offset = 0

  package init(bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  package mutating func byte() throws -> UInt8 {
    guard offset < bytes.count else { throw StudyError("a record ends too early") }
    defer { offset += 1 }
    return bytes[offset]
  }

  package mutating func varint() throws -> UInt64 {
    var result: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 70, by: 7) {
      let next = try byte()
      result |= UInt64(next & 0x7F) << shift
      if next < 0x80 { return result }
    }
    throw StudyError("a record's number is too long")
  }

  package mutating func string(byteCount: Int) throws -> String {
    guard byteCount >= 0, byteCount <= bytes.count - offset else {
      throw StudyError("a record's string is too long")
    }
    defer { offset += byteCount }
    return String(
      decoding: UnsafeRawBufferPointer(rebasing: bytes[offset..<(offset + byteCount)]),
      as: UTF8.self)
  }

  mutating func skip(byteCount: Int) throws {
    guard byteCount >= 0, byteCount <= bytes.count - offset else {
      throw StudyError("a record's value is too long")
    }
    offset += byteCount
  }

  package mutating func countedString() throws -> String {
    try string(byteCount: Int(truncatingIfNeeded: try varint()))
  }
}

extension [UInt8] {
  package mutating func appendVarint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(truncatingIfNeeded: rest))
  }

  fileprivate mutating func append(counted string: String) {
    appendVarint(UInt64(string.utf8.count))
    append(contentsOf: string.utf8)
  }
}
