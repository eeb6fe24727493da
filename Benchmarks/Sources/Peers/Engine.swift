import Workbench

/// The engines that are compared, by the names that the tables give them.
enum Engine: String, CaseIterable {
  case sqliteJSON = "SQLite JSON"
  case sqliteJSONLargeLog = "SQLite JSON, large log"
  case sqliteColumns = "SQLite columns"
  case records = "GRDB records"
  case level = "LevelDB by hand"
  case hearth = "Hearth"

  /// The readers of one store each; the baseline first.
  static let readers: [Engine] = [.sqliteJSON, .sqliteColumns, .records, .level, .hearth]
  static let writers: [Engine] = [
    .sqliteJSON, .sqliteJSONLargeLog, .sqliteColumns, .records, .level, .hearth,
  ]

  /// Opens the engine's store in `folder`, or makes it.
  func open(
    in folder: String, indexes: IndexSet, cacheMebibytes: Int, isDurable: Bool = false,
    name: String? = nil
  ) throws -> any Contestant {
    let settings = StoreSettings(
      path: path(in: folder), indexes: indexes, cacheMebibytes: cacheMebibytes,
      isDurable: isDurable)
    return switch self {
    case .sqliteJSON: try SQLiteContestant(settings, form: .json, name: name)
    case .sqliteJSONLargeLog:
      try SQLiteContestant(settings, form: .json, checkpointPages: 16_384, name: rawValue)
    case .sqliteColumns: try SQLiteContestant(settings, form: .columns)
    case .records: try RecordsContestant(settings)
    case .level: try LevelContestant(settings)
    case .hearth: try HearthContestant(settings, name: name ?? rawValue)
    }
  }

  func path(in folder: String) -> String {
    let words = rawValue.split(whereSeparator: { $0 == " " || $0 == "," })
    return "\(folder)/\(words.joined(separator: "-").lowercased())"
  }
}
