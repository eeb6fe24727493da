/// The checksum of LevelDB's logs and tables: CRC-32C (Castagnoli), with the reflected polynomial
/// 0x82f63b78.
enum CRC32C {
  /// Returns the checksum of `bytes`, computed eight at a time with eight tables.
  static func checksum(of bytes: borrowing RawSpan) -> UInt32 {
    let tables = tables.span
    var checksum: UInt32 = ~0
    var offset = 0
    while offset &+ 8 <= bytes.byteCount {
      let word = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
      let mixed = UInt64(littleEndian: word) ^ UInt64(checksum)
      var next: UInt32 = 0
      for position in 0..<8 {
        let byte = Int(truncatingIfNeeded: (mixed &>> UInt64(position &* 8)) & 0xff)
        next ^= tables[(7 &- position) &* 256 &+ byte]
      }
      checksum = next
      offset &+= 8
    }
    while offset < bytes.byteCount {
      let byte = unsafe bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
      checksum = tables[Int((checksum ^ UInt32(byte)) & 0xff)] ^ (checksum &>> 8)
      offset &+= 1
    }
    return ~checksum
  }

  /// A checksum of bytes that come one by one.
  struct Running {
    private var inverted: UInt32 = ~0
    var checksum: UInt32 { ~inverted }

    mutating func add(_ byte: UInt8) {
      inverted = tables[Int((inverted ^ UInt32(byte)) & 0xff)] ^ (inverted &>> 8)
    }
  }

  /// Returns a checksum as LevelDB stores it, so that checksums of bytes with checksums stay good.
  static func masked(_ checksum: UInt32) -> UInt32 {
    (checksum &>> 15 | checksum &<< 17) &+ 0xa282_ead8
  }

  /// Eight tables of 256, one after the other; table `n` is for a byte that `n` more bytes follow.
  private static let tables: [UInt32] = {
    var tables = [UInt32](repeating: 0, count: 8 * 256)
    for byte in 0..<256 {
      var checksum = UInt32(byte)
      for _ in 0..<8 {
        checksum = checksum & 1 == 0 ? checksum >> 1 : checksum >> 1 ^ 0x82f6_3b78
      }
      tables[byte] = checksum
    }
    for index in 256..<tables.count {
      let previous = tables[index - 256]
      tables[index] = tables[Int(previous & 0xff)] ^ previous >> 8
    }
    return tables
  }()
}
