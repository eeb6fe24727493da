package import HearthOrderedStore

/// A damaged store of LevelDB's, read without LevelDB and without a change to its files.
///
/// Opening it reads every live table and log once, and finds the blocks that can be read. An
/// unreadable part is described by the keys that it may hold and by their possible age:
///
/// - A block of a table can hold newer versions only of keys in tables of its level or a higher
///   one; on level 0 only in tables up to its own number.
/// - A missing part of a log can hold newer versions only of operations with lower numbers.
package final class DamagedStore: SalvagedStore {
  /// The versions that an unreadable part may hold newer ones of.
  enum Reach {
    case nothing
    case everything
    /// Versions from before the operation of this number.
    case before(UInt64)
    /// Versions in tables of this level or a higher one; on level 0 only in tables up to this
    /// number.
    case below(level: UInt64, number: UInt64)
  }

  package private(set) var damage: [StoreDamage] = []
  private(set) var reaches: [Reach] = []
  private(set) var tables: [DamagedTable] = []
  private(set) var logged = LoggedVersionList()
  /// Number of puts and deletes of the logs that could be read.
  package private(set) var readableLogOperationCount = 0
  private let folder: StoreFolder

  /// - Parameter path: the folder of the store, which no process may have open.
  /// - Throws: `.locked`; `.notAStore` if there are no files of LevelDB's; `.newerFormat`;
  ///   `.permission`, `.inputOutput`.
  package init(folder path: String) throws(StoreError) {
    folder = try StoreFolder.holdDamaged(path)
    let files = try LiveFiles(in: folder.levelDBPath)
    if let note = files.note {
      add(.nothing, StoreDamage(place: note, lower: [], upper: []))
    }
    if let words = files.damage {
      let place = "files that nothing lists any more, since \(words)"
      add(.everything, StoreDamage(place: place, lower: [], upper: nil))
    }
    for table in files.tables { try examine(table) }
    try readLogs(files)
    orderDamage()
  }

  private func add(_ reach: Reach, _ damage: StoreDamage) {
    self.damage.append(damage)
    reaches.append(reach)
  }

  // MARK: Tables

  private func examine(_ table: LiveFiles.Table) throws(StoreError) {
    let level = table.entry?.level
    let reach = level.map { Reach.below(level: $0, number: table.number) } ?? .everything
    var extent = TableExamination.Extent()
    if let entry = table.entry {
      extent = TableExamination.Extent(
        smallest: entry.smallest.userKey, largest: entry.largest.userKey)
    }
    guard let name = table.name,
      let bytes = try OpenFile.salvagedContents(of: folder.levelDBPath + "/" + name)
    else {
      let place = "the table \(table.number), which is missing"
      return add(reach, StoreDamage(place: place, lower: extent.smallest, upper: extent.end))
    }
    let examination = TableExamination(of: bytes, extent: extent)
    for gap in examination.gaps {
      let place = "\(name), the \(gap.what) at byte \(gap.offset)"
      add(reach, StoreDamage(place: place, lower: gap.lower, upper: gap.upper))
    }
    guard !examination.blocks.isEmpty else { return }
    tables.append(
      DamagedTable(
        path: folder.levelDBPath + "/" + name, level: level, number: table.number,
        blocks: examination.blocks))
  }

  // MARK: Logs

  private func readLogs(_ files: LiveFiles) throws(StoreError) {
    var logs = DamagedLogs()
    if let missing = files.missingLog { logs.addMissing(missing) }
    for name in files.logs {
      let bytes = try OpenFile.salvagedContents(of: folder.levelDBPath + "/" + name)
      logs.read(bytes ?? [], name: name)
    }
    logs.finish()
    for gap in logs.gaps {
      let reach = gap.end == 0 ? Reach.nothing : .before(gap.end)
      add(reach, StoreDamage(place: gap.place, lower: [], upper: gap.end == 0 ? [] : nil))
    }
    logged = logs.versions
    readableLogOperationCount = logs.operationCount
  }

  /// Sorts the damage by the first keys that it concerns.
  private func orderDamage() {
    let order = damage.indices.sorted { left, right in
      damage[left].lower == damage[right].lower
        ? left < right : damage[left].lower.precedes(damage[right].lower)
    }
    damage = order.map { damage[$0] }
    reaches = order.map { reaches[$0] }
  }
}

/// A table of which some blocks can be read.
struct DamagedTable {
  let path: String
  /// Level of the table; `nil` if no MANIFEST tells it.
  let level: UInt64?
  let number: UInt64
  /// Readable blocks, in order; never empty.
  let blocks: [TableExamination.Block]
}
