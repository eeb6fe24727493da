// An unsigned integer whose bytes sort like the integer. No encoding is a prefix of another.
//
//   0...127      the number itself
//   128...       0x80 + n, then the number in n bytes, big-endian, without leading zeros (n 1...8)

extension [UInt8] {
  package mutating func appendOrdered(_ value: UInt64) {
    guard value >= 0x80 else {
      append(UInt8(truncatingIfNeeded: value))
      return
    }
    let byteCount = 8 &- value.leadingZeroBitCount / 8
    let mark = 0x80 | UInt64(byteCount)
    guard byteCount < 8 else {
      append(UInt8(mark))
      return appendBigEndian(value)
    }
    // The mark is in front of the number's first byte, and the unused bytes are behind.
    let bits = (value | mark &<< UInt64(8 &* byteCount)) &<< UInt64(8 &* (7 &- byteCount))
    appendBigEndian(bits, byteCount: byteCount &+ 1)
  }
}

extension ByteReader {
  package mutating func readOrdered(_ what: String) throws(CorruptBytes) -> UInt64 {
    let start = offset
    let first = try readByte(what)
    guard first >= 0x80 else { return UInt64(first) }
    let byteCount = Int(first & 0x7F)
    guard (1...8).contains(byteCount) else { throw CorruptBytes(what, at: start) }
    var value: UInt64 = 0
    for _ in 0..<byteCount { value = value &<< 8 | UInt64(try readByte(what)) }
    guard value >= 0x80, byteCount == 8 &- value.leadingZeroBitCount / 8 else {
      throw CorruptBytes(what, at: start)
    }
    return value
  }
}
