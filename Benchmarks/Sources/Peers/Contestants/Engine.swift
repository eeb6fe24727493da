import Workbench

/// The engines that are compared, by their names in the tables.
enum Engine: String, CaseIterable, Codable {
  case sqliteJSON = "SQLite JSON"
  case sqliteJSONLargeLog = "SQLite JSON, large log"
  case sqliteJSONExclusive = "SQLite JSON, exclusive lock"
  case sqliteJSONIndexesAfter = "SQLite JSON, indexes after the load"
  case sqliteColumns = "SQLite columns"
  case sqliteColumnsIndexesAfter = "SQLite columns, indexes after the load"
  case sqliteSingles = "SQLite JSON, single-field indexes"
  case records = "GRDB records"
  case level = "LevelDB by hand"
  /// Hot: with a cache that holds all documents.
  case hearth = "Hearth"
  case hearthRows = "Hearth, rows"
  case hearthFields = "Hearth, all fields"
  case hearthUnread = "Hearth, nothing read"
  case hearthByTime = "Hearth, counting by time"
  case hearthAutomatic = "Hearth, automatic indexes only"
  case hearthCold = "Hearth, cold"
  case hearthNames = "Hearth, cold, names resident"
  case hearthCovering = "Hearth, cold, covering entries"
  case hearthNoScans = "Hearth, scans not kept"
  case hearthCounts = "Hearth, kept counts"
  case hearthIndexesAfter = "Hearth, indexes after the load"

  /// Engines that each read a store of their own; the baseline first.
  static let readers: [Engine] = [.sqliteJSON, .sqliteColumns, .records, .level, .hearth]
  static let writers: [Engine] = [
    .sqliteJSON, .sqliteJSONLargeLog, .sqliteColumns, .records, .level, .hearth,
  ]
  /// Engines that read a copy of a store that another engine loaded.
  static let copyReaders: [Engine] = [
    .sqliteJSONExclusive, .hearthCold, .hearthNames, .hearthCovering, .hearthCounts,
  ]

  /// The engine whose store a reader of a copy reads.
  var original: Engine { self == .sqliteJSONExclusive ? .sqliteJSON : .hearth }

  /// Opens the engine's store in `folder`, or makes it.
  func open(
    in folder: String, indexes: IndexSet, memory: MemorySettings, isDurable: Bool = false
  ) throws -> any Contestant {
    let settings = StoreSettings(
      path: path(in: folder), indexes: indexes, memory: memory, isDurable: isDurable,
      indexesAfterLoad: self == .sqliteJSONIndexesAfter || self == .sqliteColumnsIndexesAfter
        || self == .hearthIndexesAfter)
    return switch self {
    case .sqliteJSON, .sqliteSingles, .sqliteJSONIndexesAfter:
      try SQLiteContestant(settings, form: .json, name: rawValue)
    case .sqliteJSONExclusive:
      try SQLiteContestant(settings, form: .json, locksExclusively: true, name: rawValue)
    case .sqliteJSONLargeLog:
      try SQLiteContestant(settings, form: .json, checkpointPages: 16_384, name: rawValue)
    case .sqliteColumns, .sqliteColumnsIndexesAfter:
      try SQLiteContestant(settings, form: .columns, name: rawValue)
    case .records: try RecordsContestant(settings)
    case .level: try LevelContestant(settings)
    case .hearth, .hearthAutomatic, .hearthCounts, .hearthIndexesAfter:
      try HearthContestant(settings, name: rawValue)
    case .hearthRows:
      HearthContestant(readingRowsOf: try HearthContestant(settings, name: Engine.hearth.rawValue))
    case .hearthFields:
      HearthContestant(
        decodingAllOf: try HearthContestant(settings, name: Engine.hearth.rawValue))
    case .hearthUnread:
      HearthContestant(
        readingNothingOf: try HearthContestant(settings, name: Engine.hearth.rawValue))
    case .hearthByTime:
      HearthContestant(countingByTime: try HearthContestant(settings, name: rawValue))
    case .hearthCold, .hearthCovering:
      try HearthContestant(settings, keeping: HearthMemory(), name: rawValue)
    case .hearthNames:
      try HearthContestant(settings, keeping: HearthMemory(names: true), name: rawValue)
    case .hearthNoScans:
      try HearthContestant(
        settings, keeping: HearthMemory(documents: true, names: true), name: rawValue)
    }
  }

  /// Applies the tuning that distinguishes this engine from the others.
  func tune(_ store: any Contestant) throws {
    guard let hearth = store as? HearthContestant else { return }
    switch self {
    case .hearthCovering: try hearth.coverPages()
    case .hearthCounts: try hearth.keepOpenCounts()
    default: break
    }
  }

  /// Copies a store that is closed.
  static func copyStore(from path: String, to copy: String) throws {
    if Disk.isFolder(path) { return try Disk.copyDatabase(at: path, to: copy) }
    try FileBytes.write(FileBytes.read(path), to: copy)
  }

  func path(in folder: String) -> String {
    let words = rawValue.split(whereSeparator: { $0 == " " || $0 == "," })
    return "\(folder)/\(words.joined(separator: "-").lowercased())"
  }
}
