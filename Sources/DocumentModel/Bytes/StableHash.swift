/// FNV-1a in 64 bits: a hash that is the same in every process and every release, for values that
/// leave the process or are stored.
package struct StableHash: Sendable {
  package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  package init() {}

  package mutating func combine(_ bytes: RawSpan) {
    for offset in 0..<bytes.byteCount {
      let byte = bytes.unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self)
      value = (value ^ UInt64(byte)) &* 0x100_0000_01B3
    }
  }
}
