/// A search for one field among the fields of a map, over bytes of the usual form: short names, and
/// values of less than 16 KiB.
///
/// It is faster than a ``ByteReader``, since it carries no errors. Where the bytes are of another
/// form, or damaged, it ends without a result, and a reader has to decide.
struct FieldSearch {
  enum Result {
    /// The field's value has this place.
    case found(Int)
    case missing
    case unclear
  }

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
    var offset = offset &+ 1
    while left > 0 {
      left &-= 1
      // Nine bytes are the count of the name and its prefix.
      guard offset &+ 9 <= bytes.byteCount else { return .unclear }
      let nameCount = Int(bytes.byte(at: offset))
      let place = offset &+ 1 &+ nameCount
      guard nameCount < 0x80, place < bytes.byteCount else { return .unclear }
      let prefix = bytes.prefixInteger(at: offset &+ 1, byteCount: nameCount)
      if prefix == wanted.prefix, nameCount == wanted.byteCount,
        nameCount <= 8 || bytes.suffixInteger(endingAt: place) == wanted.suffix
      {
        return .found(place)
      }
      // The names are sorted, so none follows that is less.
      if prefix > wanted.prefix { return .missing }
      guard let end = bytes.endOfValue(at: place) else { return .unclear }
      offset = end
    }
    return .missing
  }
}

extension RawSpan {
  @inline(__always)
  fileprivate func byte(at offset: Int) -> UInt8 {
    unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self)
  }

  /// Returns the offset behind the value whose tag is at `offset`, which lies in the bytes; `nil`
  /// if the value is of a rare form or too long for the bytes.
  @inline(__always)
  fileprivate func endOfValue(at offset: Int) -> Int? {
    let tag = byte(at: offset)
    guard tag <= ValueTag.map.rawValue else { return nil }
    let payload = unsafeBitCast(tag, to: ValueTag.self).payload
    let end: Int
    switch payload {
    case .counted:
      // A count of one byte or of two.
      guard offset &+ 2 < byteCount else { return nil }
      let low = Int(byte(at: offset &+ 1))
      if low < 0x80 {
        end = offset &+ 2 &+ low
      } else {
        let high = Int(byte(at: offset &+ 2))
        guard high < 0x80 else { return nil }
        end = offset &+ 3 &+ (low & 0x7F | high &<< 7)
      }
    case .fixed(let count): end = offset &+ 1 &+ count
    case .varint:
      var last = offset &+ 1
      while last < byteCount, byte(at: last) >= 0x80 { last &+= 1 }
      end = last &+ 1
    case .vector: return nil
    }
    return end <= byteCount ? end : nil
  }
}
