package import HearthDocumentModel

// The counterparts of `ByteReader`'s reads, appended in bulk to a buffer that its owner reuses.
extension [UInt8] {
  package mutating func append(_ bytes: RawSpan) {
    bytes.withUnsafeBytes { append(contentsOf: $0) }
  }

  package mutating func appendVarint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest &>>= 7
    }
    append(UInt8(truncatingIfNeeded: rest))
  }

  package mutating func appendVarint(_ count: Int) {
    appendVarint(UInt64(count))
  }

  /// Appends `value` in zigzag form, so that small negative numbers are short too.
  package mutating func appendSigned(_ value: Int64) {
    appendVarint(UInt64(bitPattern: (value &<< 1) ^ (value &>> 63)))
  }

  package mutating func appendLittleEndian(_ value: UInt64) {
    Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
  }

  package mutating func appendBigEndian(_ value: UInt64) {
    Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
  }

  /// Appends the first `byteCount` of the eight bytes.
  mutating func appendBigEndian(_ value: UInt64, byteCount: Int) {
    Swift.withUnsafeBytes(of: value.bigEndian) { bytes in
      append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes.prefix(byteCount)))
    }
  }

  mutating func append(_ timestamp: Timestamp) {
    appendLittleEndian(UInt64(bitPattern: timestamp.microseconds))
  }

  package mutating func appendDouble(_ value: Double) {
    appendLittleEndian(value.bitPattern)
  }

  package mutating func appendString(_ string: String) {
    appendVarint(string.utf8.count)
    append(string.utf8.span.bytes)
  }

  /// Appends the count of `bytes`, then `bytes`.
  package mutating func appendByteArray(_ bytes: [UInt8]) {
    appendVarint(bytes.count)
    append(contentsOf: bytes)
  }

  package mutating func append(_ field: FieldPath) {
    appendVarint(field.names.count)
    for name in field.names { appendString(name) }
  }

  /// Appends a byte count as a varint, followed by the bytes that `body` appends.
  mutating func appendWithByteCount(_ body: (inout [UInt8]) -> Void) {
    let start = count
    append(0)
    body(&self)
    let byteCount = count &- start &- 1
    // One byte is reserved for the length, which is enough for most bodies.
    guard byteCount >= 0x80 else {
      self[start] = UInt8(byteCount)
      return
    }
    var length: [UInt8] = []
    length.appendVarint(byteCount)
    replaceSubrange(start..<(start &+ 1), with: length)
  }

  /// Inverts every byte from `start` on, which reverses their order.
  mutating func invert(from start: Int) {
    var bytes = mutableSpan
    for index in start..<bytes.count { bytes[index] = ~bytes[index] }
  }
}
