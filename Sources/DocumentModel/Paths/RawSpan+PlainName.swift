extension RawSpan {
  /// Whether the UTF-8 text is a field path of one name without backticks. Most field paths are
  /// (§1.1).
  package var isPlainFieldName: Bool {
    guard !isEmpty, !byte(at: 0).isDigit else { return false }
    guard byteCount >= 8 else { return shortBytesMayStandInPlainName }
    var offset = 0
    while offset &+ 8 < byteCount {
      guard eight(at: offset).bytesMayStandInPlainName else { return false }
      offset &+= 8
    }
    // The last eight may be partly among those before.
    return eight(at: byteCount &- 8).bytesMayStandInPlainName
  }

  @inline(__always)
  private var shortBytesMayStandInPlainName: Bool {
    if byteCount >= 4 {
      // The first four bytes and the last four, which overlap.
      return (four(at: 0) | four(at: byteCount &- 4) &<< 32).bytesMayStandInPlainName
    }
    for offset in 0..<byteCount {
      guard byte(at: offset).mayStandInPlainName else { return false }
    }
    return true
  }

  @inline(__always)
  private func eight(at offset: Int) -> UInt64 {
    unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self)
  }

  @inline(__always)
  private func four(at offset: Int) -> UInt64 {
    UInt64(unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt32.self))
  }

  @inline(__always)
  private func byte(at offset: Int) -> UInt8 {
    unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self)
  }
}

extension String {
  /// Whether a field of this name needs no backticks (§1.1).
  package var isPlainFieldName: Bool { utf8.span.bytes.isPlainFieldName }
}

extension UInt8 {
  @inline(__always)
  fileprivate var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }

  @inline(__always)
  fileprivate var mayStandInPlainName: Bool {
    // Setting the bit makes letters lowercase.
    (self | 0x20) &- UInt8(ascii: "a") < 26 || isDigit || self == UInt8(ascii: "_")
  }
}

// Eight bytes at a time: the top bit of a byte of a result tells of the byte in its place.
extension UInt64 {
  @inline(__always)
  fileprivate var bytesMayStandInPlainName: Bool {
    let tops = UInt64(repeating: 0x80)
    // Only ASCII has the top bits free, which the sums below carry into.
    guard self & tops == 0 else { return false }
    let lowercase = self | UInt64(repeating: 0x20)
    let letters = lowercase.bytes(from: UInt8(ascii: "a"), through: UInt8(ascii: "z"))
    let digits = bytes(from: UInt8(ascii: "0"), through: UInt8(ascii: "9"))
    let underscores = bytes(from: UInt8(ascii: "_"), through: UInt8(ascii: "_"))
    return (letters | digits | underscores) & tops == tops
  }

  /// Sets the top bit of each byte from `first` through `last`. No byte has it set before.
  @inline(__always)
  private func bytes(from first: UInt8, through last: UInt8) -> UInt64 {
    let reachFirst = self &+ UInt64(repeating: 0x80 &- first)
    let passLast = self &+ UInt64(repeating: 0x7F &- last)
    return reachFirst & ~passLast
  }

  @inline(__always)
  private init(repeating byte: UInt8) { self = UInt64(byte) &* 0x0101_0101_0101_0101 }
}
