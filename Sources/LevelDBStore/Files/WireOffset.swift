/// A position in bytes that LevelDB wrote, moved by reading. Each read is `nil` at the end.
struct WireOffset {
  private(set) var position: Int

  init(_ position: Int = 0) {
    self.position = position
  }

  mutating func readByte(in bytes: borrowing RawSpan) -> UInt8? {
    guard position < bytes.byteCount else { return nil }
    defer { position &+= 1 }
    return unsafe bytes.unsafeLoad(fromByteOffset: position, as: UInt8.self)
  }

  /// Reads seven bits a byte, the lowest first. The top bit says that more bytes follow.
  mutating func readVarint(in bytes: borrowing RawSpan) -> UInt64? {
    var result: UInt64 = 0
    var shift: UInt64 = 0
    while shift < 64, let byte = readByte(in: bytes) {
      result |= UInt64(byte & 0x7f) &<< shift
      if byte < 0x80 { return result }
      shift &+= 7
    }
    return nil
  }

  /// Skips bytes that follow their count.
  mutating func skipPrefixed(in bytes: borrowing RawSpan) -> Bool {
    readPrefixed(in: bytes) != nil
  }

  /// Returns the range of bytes that follow their count, and moves past them.
  mutating func readPrefixed(in bytes: borrowing RawSpan) -> Range<Int>? {
    guard let count = readVarint(in: bytes), count <= UInt64(bytes.byteCount &- position) else {
      return nil
    }
    return skip(Int(count), in: bytes)
  }

  /// Returns the range of the next `count` bytes, and moves past them.
  mutating func skip(_ count: Int, in bytes: borrowing RawSpan) -> Range<Int>? {
    guard count >= 0, count <= bytes.byteCount &- position else { return nil }
    defer { position &+= count }
    return position..<position &+ count
  }
}

extension RawSpan {
  /// Returns the number in the bytes from `offset` on, which must be there.
  func littleEndian<Number: FixedWidthInteger & BitwiseCopyable>(at offset: Int) -> Number {
    Number(littleEndian: unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: Number.self))
  }
}
