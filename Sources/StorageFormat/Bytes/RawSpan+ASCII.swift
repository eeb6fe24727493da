extension RawSpan {
  /// Whether the bytes are UTF-8.
  @inline(__always)
  var isUTF8: Bool {
    isASCII || (try? UTF8Span(validating: Span<UInt8>(_bytes: self))) != nil
  }

  /// Whether no byte has its top bit set. Most texts are ASCII, which is known faster here than by
  /// a validation of UTF-8.
  @inline(__always)
  var isASCII: Bool {
    let tops: UInt64 = 0x8080_8080_8080_8080
    guard byteCount >= 8 else { return isShortASCII }
    // The last eight bytes may overlap those before them.
    var all = unsafeLoadUnaligned(fromUncheckedByteOffset: byteCount &- 8, as: UInt64.self)
    var offset = 0
    while offset &+ 8 < byteCount {
      all |= unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self)
      offset &+= 8
    }
    return all & tops == 0
  }

  @inline(__always)
  private var isShortASCII: Bool {
    if byteCount >= 4 {
      let first = unsafeLoadUnaligned(fromUncheckedByteOffset: 0, as: UInt32.self)
      let last = unsafeLoadUnaligned(fromUncheckedByteOffset: byteCount &- 4, as: UInt32.self)
      return (first | last) & 0x8080_8080 == 0
    }
    for offset in 0..<byteCount
    where unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self) >= 0x80 {
      return false
    }
    return true
  }
}
