/// A decoder of Snappy's raw form, in which LevelDB compresses blocks.
///
/// | bytes | meaning |
/// |---|---|
/// | varint | byte count of the whole |
/// | … | elements, each after a tag whose two low bits are its kind |
///
/// | kind | the tag's other bits, and the bytes after it |
/// |---|---|
/// | 0 | count - 1 of literal bytes, which follow; 60 to 63: it is in 1 to 4 bytes after the tag |
/// | 1 | 3 bits: count - 4; 3 bits and one byte: distance back to the copied bytes |
/// | 2, 3 | count - 1; 2 or 4 bytes: distance back to the copied bytes |
///
/// Numbers are little-endian.
package enum Snappy {
  /// Limit that no block of LevelDB's comes near, since one entry has at most a document.
  private static let byteCountLimit: UInt64 = 1 << 30

  /// Returns the decompressed bytes; `nil` if `bytes` are incomplete or damaged.
  package static func decompress(_ bytes: borrowing RawSpan) -> [UInt8]? {
    var reader = WireOffset()
    guard let byteCount = reader.readVarint(in: bytes), byteCount <= byteCountLimit else {
      return nil
    }
    var output: [UInt8] = []
    // A damaged count can promise more than there is: an element makes at most 64 bytes.
    output.reserveCapacity(min(Int(byteCount), bytes.byteCount &* 64))
    while let tag = reader.readByte(in: bytes) {
      let isWhole =
        tag & 3 == 0
        ? appendLiteral(tag, in: bytes, from: &reader, to: &output)
        : appendCopy(tag, in: bytes, from: &reader, to: &output)
      guard isWhole, output.count <= Int(byteCount) else { return nil }
    }
    return output.count == Int(byteCount) ? output : nil
  }

  private static func appendLiteral(
    _ tag: UInt8, in bytes: borrowing RawSpan, from reader: inout WireOffset,
    to output: inout [UInt8]
  ) -> Bool {
    var count = Int(tag >> 2)
    if count >= 60 {
      guard let long = reader.readInteger(byteCount: count - 59, in: bytes) else { return false }
      count = long
    }
    guard let range = reader.skip(count + 1, in: bytes) else { return false }
    unsafe bytes.extracting(range).withUnsafeBytes { unsafe output.append(contentsOf: $0) }
    return true
  }

  private static func appendCopy(
    _ tag: UInt8, in bytes: borrowing RawSpan, from reader: inout WireOffset,
    to output: inout [UInt8]
  ) -> Bool {
    let isShort = tag & 3 == 1
    let count = isShort ? Int(tag >> 2 & 7) + 4 : Int(tag >> 2) + 1
    let distanceByteCount = isShort ? 1 : tag & 3 == 2 ? 2 : 4
    guard let low = reader.readInteger(byteCount: distanceByteCount, in: bytes) else {
      return false
    }
    let distance = isShort ? Int(tag >> 5) << 8 | low : low
    guard distance > 0, distance <= output.count else { return false }
    // The copied bytes may include some that the copy itself has just appended.
    let start = output.count - distance
    for offset in 0..<count { output.append(output[start + offset]) }
    return true
  }
}

extension WireOffset {
  /// Reads a little-endian number of up to 4 bytes.
  fileprivate mutating func readInteger(
    byteCount: Int, in bytes: borrowing RawSpan
  ) -> Int? {
    var number = 0
    for position in 0..<byteCount {
      guard let byte = readByte(in: bytes) else { return nil }
      number |= Int(byte) << (8 * position)
    }
    return number
  }
}
