import HearthOrderedStore

/// The places of a table's parts, from its last 48 bytes and its index.
///
/// | bytes of a table | meaning |
/// |---|---|
/// | … | data blocks, one after the other |
/// | … | block of filters, which tell a reader the data blocks that it can skip |
/// | … | block that names the block of filters |
/// | … | index block: for each data block a key that none of its keys exceeds, and its handle |
/// | varints | offset and byte count of the block that names the filters |
/// | varints | offset and byte count of the index block |
/// | … | zeros, up to 40 bytes for both |
/// | 8 | 57 fb 80 8b 24 75 47 db |
struct TableLayout {
  private static let footerByteCount = 48
  private static let magic: [UInt8] = [0x57, 0xfb, 0x80, 0x8b, 0x24, 0x75, 0x47, 0xdb]

  let index: BlockHandle

  /// Reads the layout; `nil` if the end of the table is damaged.
  init?(_ table: [UInt8]) {
    let footer = Self.footerRange(inFileOf: table.count)
    self.init(footer: table.span.bytes.extracting(footer), fileByteCount: table.count)
  }

  /// - Parameter footer: the bytes of `footerRange(inFileOf:)`.
  init?(footer: borrowing RawSpan, fileByteCount: Int) {
    guard footer.byteCount == Self.footerByteCount,
      [UInt8](copying: footer).suffix(Self.magic.count) == Self.magic[...]
    else { return nil }
    var position = WireOffset()
    guard BlockHandle(in: footer, at: &position, fileByteCount: fileByteCount) != nil,
      let index = BlockHandle(in: footer, at: &position, fileByteCount: fileByteCount)
    else { return nil }
    self.index = index
  }

  /// Returns the place of the last 48 bytes, or of all bytes if there are fewer.
  static func footerRange(inFileOf byteCount: Int) -> Range<Int> {
    max(0, byteCount - footerByteCount)..<byteCount
  }

  /// Returns the data blocks that the index names; `nil` if the index can't be read. A block's
  /// limit is a key that none of its own keys exceeds and all keys of the next block do.
  func dataBlocks(in table: [UInt8]) -> [(limit: InternalKey, handle: BlockHandle)]? {
    let bytes = table.span.bytes.extracting(index.offset..<index.end)
    guard let contents = BlockHandle.contents(of: bytes), var entries = BlockEntries(contents)
    else { return nil }
    var blocks: [(limit: InternalKey, handle: BlockHandle)] = []
    while entries.next() {
      var position = WireOffset()
      let value = entries.value
      guard let limit = InternalKey(entries.key),
        let handle = BlockHandle(
          in: value.span.bytes, at: &position, fileByteCount: table.count)
      else { return nil }
      blocks.append((limit, handle))
    }
    return entries.isAtEnd ? blocks : nil
  }
}
