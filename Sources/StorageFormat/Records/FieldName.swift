import HearthDocumentModel

/// A field name to look up in the places of fields. Its marks tell collection ids apart, too.
package struct FieldName: Sendable {
  /// The parts of a name that are compared before its text.
  package struct Mark: Sendable, Equatable {
    let prefix: UInt64
    /// The last eight bytes. A shorter name is in their last bytes, behind zeros.
    let suffix: UInt64
    let byteCount: Int
    /// A hash of these parts and the size of the name, as the places of fields hold them.
    package let key: UInt64

    /// The number of the bits of a key.
    static let keyBitCount: UInt64 = 39
    /// The size in bytes of the longest name that has a key of its own. Longer names share
    /// ``noKey``.
    static let byteCountLimit = 2046
    /// The key that no field has.
    static let noKey: UInt64 = (1 &<< keyBitCount) &- 1

    /// Whether the mark identifies the name: no other name has the same mark.
    package var isWhole: Bool { byteCount <= Probe.byteCountLimit }

    @inline(__always)
    package init(_ name: RawSpan) {
      byteCount = name.byteCount
      prefix = name.prefixInteger(at: 0, byteCount: byteCount)
      suffix =
        byteCount > 8
        ? name.suffixInteger(endingAt: byteCount)
        : prefix.byteSwapped &<< Mark.bitCount(before: byteCount)
      key = Mark.key(prefix, suffix, byteCount)
    }

    /// The number of a suffix's bits before a name of at most eight bytes.
    @inline(__always)
    static func bitCount(before byteCount: Int) -> UInt64 {
      UInt64(truncatingIfNeeded: 64 &- 8 &* byteCount)
    }

    /// - Parameter suffix: the last eight bytes; for a shorter name any number.
    @inline(__always)
    static func key(_ prefix: UInt64, _ suffix: UInt64, _ byteCount: Int) -> UInt64 {
      let suffix = byteCount > 8 ? suffix : 0
      guard byteCount <= byteCountLimit else { return noKey }
      let hash = (prefix ^ suffix &* 0x9E37_79B9_7F4A_7C15) &* 0xD6E8_FEB8_6659_FD93
      return (hash &>> 36) &<< 11 | UInt64(truncatingIfNeeded: byteCount)
    }
  }

  /// A short name in a form that is compared in one step with the bytes before a field's value.
  struct Probe: Sendable {
    /// The key of the name's mark. That of a longer name is the one that no field has.
    let key: UInt64
    /// The last eight bytes, as a mark has them.
    private let last: UInt64
    /// The first eight bytes; for a shorter name ``last`` once more.
    private let first: UInt64
    /// The bits of ``last`` that belong to the name.
    private let bits: UInt64
    /// The number of bytes from ``first`` to the end of the name.
    private let distance: UInt64

    /// The size in bytes of the longest name that is found. Longer names are found nowhere.
    static let byteCountLimit = 16

    init(_ mark: Mark) {
      let isLong = mark.byteCount > 8
      key = mark.isWhole ? mark.key : Mark.noKey
      last = mark.suffix
      first = isLong ? mark.prefix.byteSwapped : mark.suffix
      bits = mark.byteCount < 8 ? ~(.max &>> UInt64(8 * mark.byteCount)) : .max
      // A longer name isn't compared, as no field has its key.
      distance = UInt64(min(max(mark.byteCount, 8), Probe.byteCountLimit))
    }

    /// Whether the bytes before `end` are the name. There must be sixteen of them.
    @inline(__always)
    func isName(endingAt end: Int, in bytes: RawSpan) -> Bool {
      let firstEnd = end &- Int(truncatingIfNeeded: distance) &+ 8
      let difference =
        (bytes.suffixInteger(endingAt: end) ^ last)
        | (bytes.suffixInteger(endingAt: firstEnd) ^ first)
      return difference & bits == 0
    }
  }

  package let text: String
  package let mark: Mark

  package init(_ text: String) {
    self.text = text
    mark = Mark(text.utf8.span.bytes)
  }
}

extension RawSpan {
  /// Whether the name lies before another in the order of bytes.
  @inline(__always)
  func precedes(_ other: RawSpan) -> Bool {
    let prefix = prefixInteger(at: 0, byteCount: byteCount)
    let otherPrefix = other.prefixInteger(at: 0, byteCount: other.byteCount)
    return prefix != otherPrefix ? prefix < otherPrefix : compare(other) == .less
  }

  /// Returns the first eight bytes of a name as a big-endian number. Zeros replace bytes after the
  /// end of the name or of the span.
  @inline(__always)
  func prefixInteger(at offset: Int, byteCount count: Int) -> UInt64 {
    guard offset &+ 8 <= byteCount else { return lastPrefixInteger(at: offset, byteCount: count) }
    let bits = unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self).bigEndian
    return bits & ~UInt64.prefixBits(behind: count)
  }

  /// Returns the eight bytes before `end`, which must be at least 8.
  @inline(__always)
  func suffixInteger(endingAt end: Int) -> UInt64 {
    unsafeLoadUnaligned(fromUncheckedByteOffset: end &- 8, as: UInt64.self)
  }

  /// Returns the prefix of a name that has fewer than eight bytes or lies at the end of the span.
  @inline(__always)
  private func lastPrefixInteger(at offset: Int, byteCount count: Int) -> UInt64 {
    guard count < 8, count >= 4, offset &+ count <= byteCount else {
      return lastPrefixIntegerByBytes(at: offset, byteCount: count)
    }
    // The first four bytes and the last four, which overlap.
    let first = unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt32.self).bigEndian
    let last = unsafeLoadUnaligned(
      fromUncheckedByteOffset: offset &+ count &- 4, as: UInt32.self
    ).bigEndian
    let bits = UInt64(first) &<< 32
    return bits | UInt64(last) &<< UInt64(truncatingIfNeeded: 8 &* (8 &- count))
  }

  @inline(never)
  private func lastPrefixIntegerByBytes(at offset: Int, byteCount count: Int) -> UInt64 {
    var bits: UInt64 = 0
    for index in 0..<8 {
      let place = offset &+ index
      let byte =
        index < count && place < byteCount
        ? unsafeLoad(fromUncheckedByteOffset: place, as: UInt8.self) : 0
      bits = bits &<< 8 | UInt64(byte)
    }
    return bits
  }
}

extension UInt64 {
  /// The bits of a prefix that lie behind the first `byteCount` bytes.
  @inline(__always)
  static func prefixBits(behind byteCount: Int) -> UInt64 {
    byteCount >= 8 ? 0 : .max &>> UInt64(truncatingIfNeeded: 8 &* byteCount)
  }
}
