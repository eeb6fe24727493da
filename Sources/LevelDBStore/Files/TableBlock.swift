import HearthOrderedStore

/// The place of a block in its table.
///
/// | bytes of a block | meaning |
/// |---|---|
/// | … | contents |
/// | 1 | 0 if the contents are plain, 1 if Snappy has compressed them |
/// | 4 | masked CRC-32C of the contents and that byte, little-endian |
struct BlockHandle: Equatable {
  static let trailerByteCount = 5

  var offset: Int
  /// Number of bytes without the trailer.
  var byteCount: Int

  var contents: Range<Int> { offset..<offset + byteCount }
  var end: Int { offset + byteCount + Self.trailerByteCount }

  init(offset: Int, byteCount: Int) {
    self.offset = offset
    self.byteCount = byteCount
  }

  /// Reads two varints; `nil` if the block would not lie in a file of `fileByteCount` bytes.
  init?(in bytes: borrowing RawSpan, at position: inout WireOffset, fileByteCount: Int) {
    guard let offset = position.readVarint(in: bytes),
      let byteCount = position.readVarint(in: bytes), offset <= UInt64(fileByteCount),
      byteCount <= UInt64(fileByteCount), offset + byteCount + 5 <= UInt64(fileByteCount)
    else { return nil }
    self.init(offset: Int(offset), byteCount: Int(byteCount))
  }

  /// Returns the block's contents, decompressed; `nil` if they are damaged.
  ///
  /// - Parameter bytes: the block with its trailer, and nothing else.
  static func contents(of bytes: borrowing RawSpan) -> [UInt8]? {
    let end = bytes.byteCount - trailerByteCount
    guard end >= 0 else { return nil }
    let stored: UInt32 = bytes.littleEndian(at: end + 1)
    let checksum = CRC32C.checksum(of: bytes.extracting(0..<end + 1))
    guard stored == CRC32C.masked(checksum) else { return nil }
    switch unsafe bytes.unsafeLoad(fromByteOffset: end, as: UInt8.self) {
    case 0: return [UInt8](copying: bytes.extracting(0..<end))
    case 1: return Snappy.decompress(bytes.extracting(0..<end))
    default: return nil
    }
  }
}

/// A reader of the entries of a block, one by one.
///
/// | bytes of the contents | meaning |
/// |---|---|
/// | … | entries |
/// | 4 each | restarts: the offsets of entries that share nothing with the one before |
/// | 4 | number of restarts |
///
/// | bytes of an entry | meaning |
/// |---|---|
/// | varints | counts of key bytes shared with the last entry, of other key bytes, of value bytes |
/// | … | the other key bytes, the value |
struct BlockEntries {
  private let bytes: [UInt8]
  private let end: Int
  let restartCount: Int
  private var position = WireOffset()
  /// Key of the entry that was read last.
  private(set) var key: [UInt8] = []
  private var valueRange = 0..<0

  /// Prepares a reader; `nil` if the contents are too short for their own counts.
  init?(_ contents: [UInt8]) {
    guard contents.count >= 4 else { return nil }
    let restartCount: UInt32 = contents.span.bytes.littleEndian(at: contents.count - 4)
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
  /// Number of bytes of all entries.
  var byteCount: Int { end }

  /// Returns the offset of the restart with a number; 0 if there is none.
  func restart(_ index: Int) -> Int {
    guard 0..<restartCount ~= index else { return 0 }
    return Int(bytes.span.bytes.littleEndian(at: end + 4 * index) as UInt32)
  }

  /// Moves to before the entry at `offset`, which must be a restart.
  ///
  /// - Returns: `false` if `offset` is past the last entry.
  mutating func begin(at offset: Int) -> Bool {
    position = WireOffset(offset)
    key.removeAll(keepingCapacity: true)
    return offset <= end
  }

  /// Reads the next entry. It returns `false` after the last one, and also for a damaged entry;
  /// `isAtEnd` tells the two apart.
  mutating func next() -> Bool {
    guard !isAtEnd else { return false }
    // A copy, since the span borrows from it while this value changes.
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
