import HearthFirestoreJSON
import Hearth

/// The use of an index, in a list of indexes.
struct UsageRow {
  /// The columns for the use of an index by queries and its cost in writes.
  static let useColumns: [TextTable.Column] = [
    TextTable.Column("queries", .right), TextTable.Column("last used"),
    TextTable.Column("writes", .right),
  ]
  /// The columns for the index, its contents and its use.
  static let columns =
    IndexRow.columns
    + [
      TextTable.Column("entries", .right), TextTable.Column("bytes", .right),
      TextTable.Column("on disk", .right),
    ] + useColumns
  /// The columns for the index, its use, and the beginning of the record.
  static let unusedColumns = IndexRow.columns + useColumns + [TextTable.Column("recorded since")]

  let index: IndexStatistics

  /// - Parameter style: the style of the output. For people, figures are formatted.
  func cells(_ style: OutputStyle) -> [String] {
    names + [count(index.entryCount, style), bytes(index.byteCount, style)]
      + [bytes(index.diskByteCount, style)] + useCells(style)
  }

  func useCells(_ style: OutputStyle) -> [String] {
    [
      count(index.queryCount, style), index.lastQueryTime?.rfc3339 ?? "-",
      count(index.entryWriteCount, style),
    ]
  }

  func unusedCells(_ style: OutputStyle) -> [String] {
    names + useCells(style) + [index.since.rfc3339]
  }

  private var names: [String] {
    [
      index.kind.rawValue, index.collectionGroup, index.definitions[0].scope.rawValue, fields,
      index.state.rawValue + (index.isHidden ? " HIDDEN" : ""),
    ]
  }

  /// `a:asc b:desc`; `a:asc,desc` for a field whose directions share their entries.
  private var fields: String {
    let first = index.definitions[0]
    guard index.kind == .field, let field = first.columns.first?.field else {
      return first.columnArguments.joined(separator: " ")
    }
    let modes = index.definitions.compactMap { $0.columns.first?.mode.word }
    return "\(field):\(modes.joined(separator: ","))"
  }

  private func count(_ count: Int?, _ style: OutputStyle) -> String {
    guard let count else { return "-" }
    return style.isForPeople ? Figure.count(count) : String(count)
  }

  private func bytes(_ byteCount: Int?, _ style: OutputStyle) -> String {
    guard let byteCount else { return "-" }
    return style.isForPeople ? Figure.bytes(byteCount) : String(byteCount)
  }

  var json: JSONLine {
    let contents: JSONLine = [
      "kind": index.kind.rawValue, "indexes": index.definitions.map(\.json),
      "state": index.state.rawValue, "hidden": index.isHidden ? true : nil,
      "entries": index.entryCount, "bytes": index.byteCount, "diskBytes": index.diskByteCount,
    ]
    return contents + use
  }

  /// The use of the index as members of a line of JSON.
  var use: JSONLine {
    [
      "queries": index.queryCount ?? Value.null, "lastUsed": index.lastQueryTime ?? Value.null,
      "writes": index.entryWriteCount, "recordedSince": index.since,
    ]
  }
}

extension [IndexStatistics] {
  /// Returns the statistics of the entries that an index uses.
  func holding(_ definition: IndexDefinition) -> IndexStatistics? {
    first { $0.definitions.contains(definition) }
  }
}
