import HearthOrderedStore

/// A source of versions of keys in order: a table, or the logs.
class VersionCursor {
  /// The current version. Before the first has been read, one that precedes it.
  fileprivate(set) var head: InternalKey
  /// Whether `head` stands for a version that is still to be read.
  fileprivate(set) var isWaiting: Bool

  fileprivate init(before key: [UInt8]) {
    head = InternalKey(beginning: key)
    isWaiting = true
  }

  /// The value of the current version.
  var value: [UInt8] { [] }
  /// Level and number of the table; `nil` for the logs.
  var table: (level: UInt64?, number: UInt64)? { nil }

  /// Moves to the next version.
  ///
  /// - Returns: `false` at the end.
  func next() throws(StoreError) -> Bool { false }
}

/// The versions in the good blocks of a table, which are read one by one.
final class TableVersions: VersionCursor {
  private let source: DamagedTable
  private let lower: [UInt8]
  /// Blocks still to be read that may hold keys from `lower` on.
  private var blocks: ArraySlice<TableExamination.Block>
  private var file: OpenFile?
  private var entries: BlockEntries?

  /// Prepares a cursor; `nil` if no good block holds keys from `lower` up to `upper`.
  init?(_ source: DamagedTable, from lower: [UInt8], to upper: [UInt8]) {
    let indices = source.blocks.indices
    let first = indices.first(reaching: { !source.blocks[$0].last.precedes(lower) })
    let end = indices.first(reaching: { !source.blocks[$0].first.precedes(upper) })
    guard first < end else { return nil }
    self.source = source
    self.lower = lower
    blocks = source.blocks[first..<end]
    let start = source.blocks[first].first
    super.init(before: start.precedes(lower) ? lower : start)
  }

  override var table: (level: UInt64?, number: UInt64)? { (source.level, source.number) }
  override var value: [UInt8] { entries?.value ?? [] }

  override func next() throws(StoreError) -> Bool {
    while true {
      while entries?.next() == true {
        guard let key = entries.flatMap({ InternalKey($0.key) }) else { throw changed() }
        if key.userKey.precedes(lower) { continue }
        head = key
        isWaiting = false
        return true
      }
      guard let block = blocks.popFirst() else { return false }
      try load(block)
    }
  }

  private func load(_ block: TableExamination.Block) throws(StoreError) {
    if file == nil { file = try OpenFile(source.path, .read) }
    let range = block.handle.offset..<block.handle.end
    guard let bytes = try file?.contents(in: range),
      let contents = BlockHandle.contents(of: bytes.span.bytes),
      let entries = BlockEntries(contents)
    else { throw changed() }
    self.entries = entries
  }

  private func changed() -> StoreError {
    StoreError(.inputOutput, "\(source.path) has changed while it was being read")
  }
}

/// The versions in the logs.
final class LoggedVersions: VersionCursor {
  private let versions: ArraySlice<LoggedVersionList.Entry>
  private var position: Int

  init(_ list: LoggedVersionList, from lower: [UInt8]) {
    versions = list.entries[list.firstIndex(atOrAfter: InternalKey(beginning: lower))...]
    position = versions.startIndex - 1
    super.init(before: lower)
  }

  override var value: [UInt8] { Array(versions[position].value) }

  override func next() throws(StoreError) -> Bool {
    guard position + 1 < versions.endIndex else { return false }
    position += 1
    head = versions[position].key
    isWaiting = false
    return true
  }
}
