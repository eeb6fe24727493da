import OrderedStore

/// The place of a block in its table.
///
/// | bytes of a block | meaning |
/// |---|---|
/// | … | contents |
/// | 1 | 0 where they are as they are, 1 where Snappy has compressed them |
/// | 4 | masked CRC-32C of the contents and that byte, little-endian |
struct BlockHandle: Equatable {
  static let trailerByteCount = 5

  var offset: Int
  /// Without the trailer.
  var byteCount: Int

  var contents: Range<Int> { offset..<offset + byteCount }
  var end: Int { offset + byteCount + Self.trailerByteCount }

  init(offset: Int, byteCount: Int) {
    self.offset = offset
    self.byteCount = byteCount
  }

  /// Reads two varints; `nil` where the block would not lie in a file of `fileByteCount` bytes.
  init?(in bytes: borrowing RawSpan, at position: inout WireOffset, fileByteCount: Int) {
    guard let offset = position.readVarint(in: bytes),
      let byteCount = position.readVarint(in: bytes), offset <= UInt64(fileByteCount),
      byteCount <= UInt64(fileByteCount), offset + byteCount + 5 <= UInt64(fileByteCount)
    else { return nil }
    self.init(offset: Int(offset), byteCount: Int(byteCount))
  }

  /// The block's contents, out of compression; `nil` where the checksum is another.
  ///
  /// - Parameter bytes: the block with its trailer, and nothing else.
  static func contents(of bytes: borrowing RawSpan) -> [UInt8]? {
    let end = bytes.byteCount - trailerByteCount
    guard end >= 0 else { return nil }
    let stored = UInt32(
      littleEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: end + 1, as: UInt32.self))
    let checksum = CRC32C.checksum(of: bytes.extracting(0..<end + 1))
    guard stored == CRC32C.masked(checksum) else { return nil }
    switch unsafe bytes.unsafeLoad(fromByteOffset: end, as: UInt8.self) {
    case 0: return [UInt8](copying: bytes.extracting(0..<end))
    case 1: return Snappy.decompress(bytes.extracting(0..<end))
    default: return nil
    }
  }
}

/// Walks over the entries of a block.
///
/// | bytes of the contents | meaning |
/// |---|---|
/// | … | entries |
/// | 4 each | where the entries begin that share nothing with the one before |
/// | 4 | how many those are |
///
/// | bytes of an entry | meaning |
/// |---|---|
/// | varints | how many bytes the key shares with the last; its other bytes; bytes of the value |
/// | … | the other bytes of the key, the value |
struct BlockEntries {
  private let bytes: [UInt8]
  private let end: Int
  let restartCount: Int
  private var position = WireOffset()
  /// The key of the entry that was read last.
  private(set) var key: [UInt8] = []
  private var valueRange = 0..<0

  /// `nil` where the contents are too short for what they say.
  init?(_ contents: [UInt8]) {
    guard contents.count >= 4 else { return nil }
    let restartCount = UInt32(
      littleEndian: unsafe contents.span.bytes.unsafeLoadUnaligned(
        fromByteOffset: contents.count - 4, as: UInt32.self))
    let (tail, isTooLong) = Int(restartCount).multipliedReportingOverflow(by: 4)
    guard !isTooLong, tail <= contents.count - 4 else { return nil }
    bytes = contents
    end = contents.count - 4 - tail
    self.restartCount = Int(restartCount)
  }

  var value: [UInt8] { Array(valueSlice) }
  var valueSlice: ArraySlice<UInt8> { bytes[valueRange] }
  var isAtEnd: Bool { position.position >= end }
  /// Offset of the next entry.
  var offset: Int { position.position }
  /// Of all entries.
  var byteCount: Int { end }

  /// Offset of the entry that is number `index` among those that share nothing with the one
  /// before; 0 where there is none.
  func restart(_ index: Int) -> Int {
    guard 0..<restartCount ~= index else { return 0 }
    return Int(
      UInt32(
        littleEndian: unsafe bytes.span.bytes.unsafeLoadUnaligned(
          fromByteOffset: end + 4 * index, as: UInt32.self)))
  }

  /// Goes to before the entry at `offset`, which shares nothing with the one before.
  ///
  /// - Returns: `false` where there are no entries any more.
  mutating func begin(at offset: Int) -> Bool {
    position = WireOffset(offset)
    key.removeAll(keepingCapacity: true)
    return offset <= end
  }

  /// Reads the next entry. `false` behind the last, and where no entry stands: `isAtEnd` tells.
  mutating func next() -> Bool {
    guard !isAtEnd else { return false }
    // Of its own, since the span borrows from it while this value changes.
    let bytes = bytes
    let entries = bytes.span.bytes.extracting(0..<end)
    guard let sharedCount = position.readVarint(in: entries), sharedCount <= UInt64(key.count),
      let otherCount = position.readVarint(in: entries), otherCount <= UInt64(end),
      let valueCount = position.readVarint(in: entries), valueCount <= UInt64(end),
      let other = position.skip(Int(otherCount), in: entries),
      let value = position.skip(Int(valueCount), in: entries)
    else { return false }
    key.removeLast(key.count - Int(sharedCount))
    key.append(contentsOf: bytes[other])
    valueRange = value
    return true
  }
}
