// Names and values in the forms that most of them have: names of less than 128 bytes, and values of
// less than 16 KiB. They are passed without errors, faster than by a ``ByteReader``, which has to
// decide where the bytes are of another form, or end soon behind. Damage inside a value is passed,
// such as a number in more bytes than it needs: a reader of the value reports it.
extension RawSpan {
  /// Number of bytes that are read in one step: the count of a name and its first eight bytes, or a
  /// tag and the longest payload.
  private static var stepByteCount: Int { 9 }

  /// Returns the size of the name whose count is at `offset`, and the eight bytes that begin with
  /// it, as a big-endian number; `nil` for another form. A byte follows the name.
  @inline(__always)
  func usualName(at offset: Int) -> (byteCount: Int, head: UInt64)? {
    guard offset <= byteCount &- RawSpan.stepByteCount else { return nil }
    let count = Int(byte(at: offset))
    guard count < 0x80, offset &+ 1 &+ count < byteCount else { return nil }
    return (count, eightBytes(at: offset &+ 1).bigEndian)
  }

  /// Returns the offset behind the value whose tag is at `offset`, which may lie behind the bytes;
  /// `nil` for another form.
  @inline(__always)
  func endOfUsualValue(at offset: Int) -> Int? {
    guard offset <= byteCount &- RawSpan.stepByteCount else { return nil }
    let tag = byte(at: offset)
    guard tag <= ValueTag.map.rawValue else { return nil }
    switch unsafeBitCast(tag, to: ValueTag.self).payload {
    case .counted:
      // A count of one byte or of two.
      let low = Int(byte(at: offset &+ 1))
      if low < 0x80 { return offset &+ 2 &+ low }
      let high = Int(byte(at: offset &+ 2))
      return high < 0x80 ? offset &+ 3 &+ (low & 0x7F | high &<< 7) : nil
    case .fixed(let count): return offset &+ 1 &+ count
    case .varint:
      // The first byte without a top bit is the last one.
      let ends = ~eightBytes(at: offset &+ 1).littleEndian & 0x8080_8080_8080_8080
      return ends == 0 ? nil : offset &+ 2 &+ ends.trailingZeroBitCount / 8
    case .vector: return nil
    }
  }

  @inline(__always)
  private func byte(at offset: Int) -> UInt8 {
    unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self)
  }

  @inline(__always)
  private func eightBytes(at offset: Int) -> UInt64 {
    unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self)
  }
}
