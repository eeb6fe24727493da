// Bytes of any length whose encoding sorts like them, a prefix first:
//
//   0x00    01 01
//   0x01    01 02
//   other   the byte itself
//   end     00
//
// The end sorts below every byte that can continue. If an index cuts a value (§3.6), the mark
// `OrderedValue.cut` (FF) takes the place of the end.
//
// No stored name has a numeric id. In a bound it is 01 00, a position after the end and before all
// other ids, and what would follow it is left out.

extension [UInt8] {
  /// Appends `content` without an end.
  mutating func appendEscaped(_ content: RawSpan) {
    guard content.hasByteToEscape else { return append(content) }
    for offset in 0..<content.byteCount {
      let byte = content.unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self)
      if byte <= 1 {
        append(1)
        append(byte &+ 1)
      } else {
        append(byte)
      }
    }
  }

  /// Appends `string` and an end.
  mutating func appendEscaped(_ string: String) {
    appendEscaped(string.utf8.span.bytes)
    append(0)
  }

  /// Appends the position of the numeric ids, with which a bound ends.
  mutating func appendNumericID() {
    append(1)
    append(0)
  }
}

extension RawSpan {
  /// Whether the bytes contain 0x00 or 0x01.
  fileprivate var hasByteToEscape: Bool {
    var offset = 0
    while offset &+ 8 <= byteCount {
      let word = unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self)
      // Subtracting borrows into a byte's top bit where the byte is less than 2.
      if (word &- 0x0202_0202_0202_0202) & ~word & 0x8080_8080_8080_8080 != 0 { return true }
      offset &+= 8
    }
    while offset < byteCount {
      if unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self) <= 1 { return true }
      offset &+= 1
    }
    return false
  }
}
