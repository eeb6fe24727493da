package import HearthDocumentModel

// The counterparts of `ByteReader`'s reads, appended in bulk to a buffer that its owner reuses.
extension [UInt8] {
  package mutating func append(_ bytes: RawSpan) {
    bytes.withUnsafeBytes { append(contentsOf: $0) }
  }

  @inline(__always)
  package mutating func appendVarint(_ value: UInt64) {
    // Most varints are lengths and counts of one byte.
    guard value >= 0x80 else { return append(UInt8(truncatingIfNeeded: value)) }
    appendLongVarint(value)
  }

  @inline(never)
  private mutating func appendLongVarint(_ value: UInt64) {
    let groupCount = (70 &- value.leadingZeroBitCount) / 7
    guard groupCount <= 8 else { return appendVarintByBytes(value) }
    // The top bit of each byte but the last.
    let marks = 0x8080_8080_8080_8080 & ~(UInt64.max &<< UInt64(8 &* (groupCount &- 1)))
    append(firstBytes: groupCount, of: (value.sevenBitGroups | marks).littleEndian)
  }

  private mutating func appendVarintByBytes(_ value: UInt64) {
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
    append(firstBytes: 8, of: value.littleEndian)
  }

  package mutating func appendBigEndian(_ value: UInt64) {
    append(firstBytes: 8, of: value.bigEndian)
  }

  /// Appends the first `byteCount` of the eight bytes.
  mutating func appendBigEndian(_ value: UInt64, byteCount: Int) {
    append(firstBytes: byteCount, of: value.bigEndian)
  }

  /// Appends the first `byteCount` bytes of a number as it lies in memory, all in one store.
  private mutating func append(firstBytes byteCount: Int, of number: UInt64) {
    append(addingCapacity: MemoryLayout<UInt64>.size) { output in
      output.withUnsafeMutableBufferPointer { memory, count in
        UnsafeMutableRawBufferPointer(memory).storeBytes(of: number, as: UInt64.self)
        count = byteCount
      }
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

extension UInt64 {
  /// The low 56 bits in groups of seven, one in the lower bits of each byte. The code moves halves,
  /// then quarters, then eighths of the bits apart.
  @inline(__always)
  var sevenBitGroups: UInt64 {
    var groups = (self & 0x00FF_FFFF_F000_0000) &<< 4 | self & 0x0FFF_FFFF
    groups = (groups & 0x0FFF_C000_0FFF_C000) &<< 2 | groups & 0x0000_3FFF_0000_3FFF
    return (groups & 0x3F80_3F80_3F80_3F80) &<< 1 | groups & 0x007F_007F_007F_007F
  }
}
