/// A search for one field among the fields of a map, over bytes of the usual form: short names, and
/// values of less than 16 KiB.
///
/// It is faster than a ``ByteReader``, since it carries no errors. Where the bytes are of another
/// form, or damaged, or end soon behind the value to be passed, it ends without a result, and a
/// reader has to decide.
struct FieldSearch {
  enum Result {
    /// The field's value has this place.
    case found(Int)
    case missing
    case unclear
  }

  /// The bytes that may be read at a name and at a value without another check: the count of a name
  /// and its prefix, or a tag and the longest payload that is passed in one step.
  private static let readByteCount = 9

  private let wanted: FieldName.Mark

  init(for wanted: FieldName.Mark) {
    self.wanted = wanted
  }

  /// Searches the fields of the map whose field count is at `offset`.
  ///
  /// - Complexity: a pass over the names up to the wanted one.
  @inline(__always)
  func result(in bytes: RawSpan, at offset: Int) -> Result {
    guard wanted.isWhole, offset < bytes.byteCount else { return .unclear }
    var left = bytes.byte(at: offset)
    guard left < 0x80 else { return .unclear }
    let lastOffset = bytes.byteCount &- FieldSearch.readByteCount
    let ignoredBits = UInt64.prefixBits(behind: wanted.byteCount)
    var offset = offset &+ 1
    while left > 0 {
      left &-= 1
      guard offset <= lastOffset else { return .unclear }
      let nameCount = Int(bytes.byte(at: offset))
      // Other bytes follow a short name here. So the wanted bits alone are compared.
      let head = bytes.eightBytes(at: offset &+ 1).bigEndian
      let place = offset &+ 1 &+ nameCount
      guard nameCount < 0x80, place < bytes.byteCount else { return .unclear }
      if nameCount == wanted.byteCount, (head ^ wanted.prefix) & ~ignoredBits == 0,
        nameCount <= 8 || bytes.suffixInteger(endingAt: place) == wanted.suffix
      {
        return .found(place)
      }
      // The names are sorted, so none follows that is less.
      if head > wanted.prefix, head & ~UInt64.prefixBits(behind: nameCount) > wanted.prefix {
        return .missing
      }
      guard place <= lastOffset, let end = bytes.endOfValue(at: place) else { return .unclear }
      offset = end
    }
    return offset <= bytes.byteCount ? .missing : .unclear
  }
}

extension RawSpan {
  @inline(__always)
  fileprivate func byte(at offset: Int) -> UInt8 {
    unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self)
  }

  @inline(__always)
  fileprivate func eightBytes(at offset: Int) -> UInt64 {
    unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self)
  }

  /// Returns the offset behind the value whose tag is at `offset`, which may lie behind the bytes;
  /// `nil` if the value is of a rare form. Nine bytes can be read there.
  @inline(__always)
  fileprivate func endOfValue(at offset: Int) -> Int? {
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
}
