import OrderedStore

/// Finds the newest version of a key in the files of LevelDB while it is open, since LevelDB tells
/// values and no numbers.
enum NewestVersion {
  /// How often files may vanish, because compaction has gone on, before the search is given up.
  private static let attemptCount = 3

  enum Answer: Equatable {
    /// The number of the newest put or delete.
    case sequence(UInt64)
    /// No file holds the key.
    case none
    /// Files vanished while they were looked for.
    case unknown
  }

  /// The newest version of `key`; nobody may be writing.
  ///
  /// - Complexity: reads the live logs and, of each level, the tables that span the key.
  /// - Throws: `.corrupt`, `.inputOutput`.
  static func find(_ key: [UInt8], in levelDBPath: String) throws(StoreError) -> Answer {
    for _ in 0..<attemptCount {
      let files = try LiveFiles(in: levelDBPath)
      guard files.damage == nil, files.missingLog == nil,
        let logged = try newest(of: key, inLogs: files.logs, in: levelDBPath),
        let stored = try newest(of: key, inTables: files.tables, in: levelDBPath)
      else { continue }
      return [logged, stored].compactMap(\.sequence).max().map { .sequence($0) } ?? .none
    }
    return .unknown
  }

  /// What a part of the files has of the key.
  private struct Found {
    var sequence: UInt64?

    mutating func add(_ other: UInt64) { sequence = max(sequence ?? 0, other) }
  }

  /// `nil` where a log is gone.
  private static func newest(
    of key: [UInt8], inLogs names: [String], in levelDBPath: String
  ) throws(StoreError) -> Found? {
    var found = Found()
    for name in names {
      guard let bytes = try FileSystem.contents(of: levelDBPath + "/" + name) else { return nil }
      var reader = LogRecordReader(bytes)
      while let element = reader.next() {
        guard case .record = element else { continue }
        let payload = reader.payload
        LoggedBatch(payload.span.bytes)?.forEachOperation(in: payload.span.bytes) {
          sequence, keyRange, _ in
          if payload[keyRange].elementsEqual(key) { found.add(sequence) }
        }
      }
    }
    return found
  }

  /// `nil` where a table is gone.
  private static func newest(
    of key: [UInt8], inTables tables: [LiveFiles.Table], in levelDBPath: String
  ) throws(StoreError) -> Found? {
    var found = Found()
    for table in tables {
      guard let entry = table.entry, !key.precedes(entry.smallest.userKey),
        !entry.largest.userKey.precedes(key)
      else { continue }
      guard let name = table.name,
        let bytes = try FileSystem.contents(of: levelDBPath + "/" + name)
      else { return nil }
      guard let version = newest(of: key, in: bytes) else {
        throw StoreError(.corrupt, "the database is damaged: \(levelDBPath)/\(name)")
      }
      if let sequence = version.sequence { found.add(sequence) }
    }
    return found
  }

  /// `nil` where the table can't be read.
  private static func newest(of key: [UInt8], in table: [UInt8]) -> Found? {
    let target = InternalKey(
      userKey: key, sequence: InternalKey.maximumSequence, isDeletion: false)
    guard let blocks = TableLayout(table)?.dataBlocks(in: table) else { return nil }
    for block in blocks where !block.limit.precedes(target) {
      let bytes = table.span.bytes.extracting(block.handle.offset..<block.handle.end)
      guard let contents = BlockHandle.contents(of: bytes), var entries = BlockEntries(contents)
      else { return nil }
      while entries.next() {
        guard let version = InternalKey(entries.key) else { return nil }
        if version.precedes(target) { continue }
        return Found(sequence: version.userKey == key ? version.sequence : nil)
      }
      guard entries.isAtEnd else { return nil }
    }
    return Found()
  }
}
