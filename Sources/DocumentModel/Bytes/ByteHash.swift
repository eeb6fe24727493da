/// A fast hash of names, for tables in memory.
///
/// Equal bytes have equal hashes. Different bytes may collide, so a table compares the names as
/// well. The hash is no defence against names that were chosen to collide: they only cost time.
package struct ByteHash: Sendable {
  package private(set) var value: UInt64 = 0x9E37_79B9_7F4A_7C15

  package init() {}

  package mutating func combine(_ bits: UInt64) {
    let product = (value ^ bits).multipliedFullWidth(by: 0xBF58_476D_1CE4_E5B9)
    value = product.high ^ product.low
  }

  /// Adds the bytes of `string` and their count to the hash.
  package mutating func combine(_ string: String) { combine(string.utf8.span.bytes) }

  /// Adds `bytes` and their count to the hash.
  package mutating func combine(_ bytes: RawSpan) {
    var offset = 0
    while offset &+ 8 <= bytes.byteCount {
      combine(bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self))
      offset &+= 8
    }
    var rest = UInt64(truncatingIfNeeded: bytes.byteCount)
    if bytes.byteCount &- offset >= 4 {
      let four = bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt32.self)
      rest = rest &<< 32 | UInt64(four)
      offset &+= 4
    }
    while offset < bytes.byteCount {
      rest = rest &<< 8 | UInt64(bytes.unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self))
      offset &+= 1
    }
    combine(rest)
  }
}
