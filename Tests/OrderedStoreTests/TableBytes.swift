/// A table of LevelDB's without compressed blocks, for a test to change.
struct TableBytes {
  private(set) var bytes: [UInt8]
  /// Range of the index's contents, without the trailer.
  let index: Range<Int>
  /// Range of the first data block's contents, without the trailer.
  let firstBlock: Range<Int>

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var place = bytes.count - 48
    _ = Self.readBlock(in: bytes, at: &place)
    index = Self.readBlock(in: bytes, at: &place)
    place = index.lowerBound
    _ = Self.readVarint(in: bytes, at: &place)
    let keyByteCount = Self.readVarint(in: bytes, at: &place)
    _ = Self.readVarint(in: bytes, at: &place)
    place += keyByteCount
    firstBlock = Self.readBlock(in: bytes, at: &place)
  }

  /// Changes the first data block so that its first whole entry begins at `offset`, with a correct
  /// checksum. The block must have no other.
  mutating func setRestart(_ offset: UInt8) {
    let restart = firstBlock.upperBound - 8..<firstBlock.upperBound - 4
    bytes.replaceSubrange(restart, with: [offset, 0, 0, 0])
    let covered = firstBlock.lowerBound..<firstBlock.upperBound + 1
    let checksum = LogBytes.checksum(of: Array(bytes[covered]))
    bytes.replaceSubrange(covered.upperBound..<covered.upperBound + 4, with: checksum)
  }

  private static func readBlock(in bytes: [UInt8], at place: inout Int) -> Range<Int> {
    let offset = readVarint(in: bytes, at: &place)
    return offset..<offset + readVarint(in: bytes, at: &place)
  }

  private static func readVarint(in bytes: [UInt8], at place: inout Int) -> Int {
    var value = 0
    var shift = 0
    while true {
      let byte = bytes[place]
      place += 1
      value |= Int(byte & 0x7f) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
  }
}
