import HearthOrderedStore

/// The readable part of one table: its good data blocks, and the keys that the others may hold.
///
/// A good index tells the keys that an unreadable block may hold. Without it the blocks are found
/// one after the other: a block ends where its checksum is right.
struct TableExamination {
  /// A readable data block, with its first and last key.
  struct Block {
    let handle: BlockHandle
    let first: [UInt8]
    let last: [UInt8]
  }

  /// A part that can't be read, and the keys that it may hold: from `lower` up to `upper`.
  struct Gap {
    let offset: Int
    let what: String
    let lower: [UInt8]
    let upper: [UInt8]?
  }

  /// The range of a table's keys by the MANIFEST.
  struct Extent {
    var smallest: [UInt8] = []
    /// Largest key; `nil` if it isn't known.
    var largest: [UInt8]?

    /// Bound after all keys; `nil` if it isn't known.
    var end: [UInt8]? { largest.map { $0 + [0] } }
  }

  private(set) var blocks: [Block] = []
  private(set) var gaps: [Gap] = []
  private let extent: Extent
  /// Bound after the keys of all blocks so far.
  private var lower: [UInt8]

  init(of table: [UInt8], extent: Extent) {
    self.extent = extent
    lower = extent.smallest
    if let listed = TableLayout(table)?.dataBlocks(in: table) {
      for (position, block) in listed.enumerated() {
        examine(block.handle, limit: block.limit, isLast: position == listed.count - 1, in: table)
      }
    } else {
      scan(table)
    }
  }

  private mutating func examine(
    _ handle: BlockHandle, limit: InternalKey, isLast: Bool, in table: [UInt8]
  ) {
    // The bound between the keys of this block and the next one.
    var end: [UInt8]? = limit.userKey + [0]
    if isLast, let extentEnd = extent.end { end = extentEnd }
    let bytes = table.span.bytes.extracting(handle.offset..<handle.end)
    if let contents = BlockHandle.contents(of: bytes), let keys = DataKeys(contents) {
      add(handle, keys)
    } else {
      gaps.append(Gap(offset: handle.offset, what: "block", lower: lower, upper: end))
    }
    if let end { lower = end }
  }

  private mutating func add(_ handle: BlockHandle, _ keys: DataKeys) {
    blocks.append(
      Block(handle: handle, first: keys.first.userKey, last: keys.last.userKey))
    lower = keys.last.userKey + [0]
  }
}

// MARK: - Without an index

extension TableExamination {
  /// Limit in bytes for a block after damage, where the start of the block isn't known.
  private static let searchByteCount = 64 << 10

  /// Finds the blocks without an index. The data blocks are followed by another block, that of the
  /// filters. A scan that gets there without damage on the way has seen all data blocks.
  private mutating func scan(_ table: [UInt8]) {
    var start = 0
    var gapStart: Int?
    var last: InternalKey?
    while start < table.count {
      guard let found = Self.block(at: start, in: table, isCertain: gapStart == nil) else {
        gapStart = gapStart ?? start
        start += 1
        continue
      }
      guard let keys = DataKeys(found.contents), last?.precedes(keys.first) ?? true else {
        if gapStart == nil { return }
        break
      }
      if let offset = gapStart {
        let upper = keys.first.userKey + [0]
        gaps.append(Gap(offset: offset, what: "blocks", lower: lower, upper: upper))
        gapStart = nil
      }
      add(found.handle, keys)
      last = keys.last
      start = found.handle.end
    }
    gaps.append(
      Gap(offset: gapStart ?? start, what: "end", lower: lower, upper: extent.end))
  }

  /// Returns the block that begins at `start`; `nil` if its end isn't found.
  ///
  /// - Parameter isCertain: whether a block is known to begin there, unless it is damaged.
  private static func block(
    at start: Int, in table: [UInt8], isCertain: Bool
  ) -> (handle: BlockHandle, contents: [UInt8])? {
    guard isCertain || mayBegin(at: start, in: table) else { return nil }
    let bytes = table.span.bytes
    let end = isCertain ? table.count : min(table.count, start + searchByteCount)
    var running = CRC32C.Running()
    var position = start
    while position + BlockHandle.trailerByteCount <= end {
      let byte = unsafe bytes.unsafeLoad(fromByteOffset: position, as: UInt8.self)
      running.add(byte)
      if byte <= 1 {
        if bytes.littleEndian(at: position + 1) == CRC32C.masked(running.checksum) {
          let handle = BlockHandle(offset: start, byteCount: position - start)
          let contents = BlockHandle.contents(of: bytes.extracting(start..<handle.end))
          if let contents { return (handle, contents) }
        }
      }
      position += 1
    }
    return nil
  }

  /// Whether a data block can begin at `start`: with an entry that shares nothing with one before,
  /// plain or as Snappy's first literal.
  private static func mayBegin(at start: Int, in table: [UInt8]) -> Bool {
    func isEntry(at offset: Int) -> Bool {
      offset + 1 < table.count && table[offset] == 0
        && table[offset + 1] > InternalKey.trailerByteCount
    }
    if isEntry(at: start) { return true }
    let bytes = table.span.bytes
    var position = WireOffset(start)
    guard position.readVarint(in: bytes) != nil, let tag = position.readByte(in: bytes),
      tag & 3 == 0
    else { return false }
    let lengthByteCount = max(0, Int(tag >> 2) - 59)
    return isEntry(at: position.position + lengthByteCount)
  }
}

/// The first and the last key of a data block whose entries are all good.
private struct DataKeys {
  let first: InternalKey
  let last: InternalKey

  /// Reads the keys; `nil` if the contents are not those of a data block.
  init?(_ contents: [UInt8]) {
    guard var entries = BlockEntries(contents) else { return nil }
    var first: InternalKey?
    var last: InternalKey?
    while entries.next() {
      guard let key = InternalKey(entries.key), key.sequence < InternalKey.maximumSequence,
        last?.precedes(key) ?? true
      else { return nil }
      first = first ?? key
      last = key
    }
    guard entries.isAtEnd, let first, let last else { return nil }
    self.first = first
    self.last = last
  }
}
