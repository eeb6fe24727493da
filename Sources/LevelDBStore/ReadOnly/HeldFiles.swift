import HearthOrderedStore

/// The files of a store at one moment, all of them open. They can be read even after a process that
/// writes to the store has deleted them.
final class HeldFiles: Sendable {
  /// A list for each table of level 0, the newest first; then a list for each other level.
  private let tables: [[OpenTable]]
  private let logged: LoggedVersionList
  private let cache: BlockCache

  init(
    _ tables: [(level: UInt64, table: OpenTable)], _ logged: LoggedVersionList,
    cacheByteCount: Int
  ) {
    var levels: [UInt64: [OpenTable]] = [:]
    for (level, table) in tables { levels[level, default: []].append(table) }
    let top = levels.removeValue(forKey: 0) ?? []
    self.tables =
      top.sorted { $0.number > $1.number }.map { [$0] }
      + levels.sorted { $0.key < $1.key }.map { _, tables in
        tables.sorted { $0.smallest.precedes($1.smallest) }
      }
    self.logged = logged
    cache = BlockCache(byteCount: cacheByteCount)
  }

  /// Returns one run for the logs, one for each table of level 0, and one for each other level.
  func makeRuns() -> [any VersionRun] {
    [LoggedRun(logged)] + tables.map { TableRun($0, cache) }
  }

  /// Returns the value of `key`; `nil` if there is none.
  ///
  /// - Complexity: one block of each level, until a level has the key.
  /// - Throws: `.corrupt`, `.inputOutput`.
  func value(of key: [UInt8]) throws(StoreError) -> [UInt8]? {
    let target = InternalKey(beginning: key)
    func find(in run: any VersionRun) throws(StoreError) -> Bool {
      try run.seek(to: target)
      if let damage = run.damage { throw damage }
      return run.isValid && run.key.hasUserKey(of: target)
    }
    var found: any VersionRun = LoggedRun(logged)
    var isFound = try find(in: found)
    for level in tables where !isFound && level.mayHold(key) {
      found = TableRun(level, cache)
      isFound = try find(in: found)
    }
    return isFound && found.holdsValue ? Array(found.value) : nil
  }

  /// Returns the approximate bytes of the tables that have the keys from `lower` up to `upper`.
  ///
  /// - Throws: `.inputOutput`. Damage only makes the number less exact, as with LevelDB.
  func approximateByteCount(
    from lower: [UInt8], to upper: [UInt8]
  ) throws(StoreError) -> Int {
    guard lower.precedes(upper) else { return 0 }
    var byteCount = 0
    for table in tables.joined() {
      let start = try table.offset(of: InternalKey(beginning: lower), cache)
      let end = try table.offset(of: InternalKey(beginning: upper), cache)
      byteCount += end - start
    }
    return byteCount
  }
}
