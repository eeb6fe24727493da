import FirestoreJSON
import Hearth

/// What became of an index, in a list of indexes.
struct UsageRow {
  /// What an index was asked for, and what it cost writes.
  static let useColumns: [TextTable.Column] = [
    TextTable.Column("queries", .right), TextTable.Column("last used"),
    TextTable.Column("writes", .right),
  ]
  /// Which index it is, what it holds, and its use.
  static let columns =
    IndexRow.columns
    + [
      TextTable.Column("entries", .right), TextTable.Column("bytes", .right),
      TextTable.Column("on disk", .right),
    ] + useColumns
  /// Which index it is, its use, and since when that is recorded.
  static let unusedColumns = IndexRow.columns + useColumns + [TextTable.Column("recorded since")]

  let index: IndexStatistics

  /// - Parameter style: that of the output: people are shown figures that they can read.
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

  /// `a:asc b:desc`; of a field whose directions share their entries `a:asc,desc`.
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
    return style.form == .tables ? Figure.count(count) : String(count)
  }

  private func bytes(_ byteCount: Int?, _ style: OutputStyle) -> String {
    guard let byteCount else { return "-" }
    return style.form == .tables ? Figure.bytes(byteCount) : String(byteCount)
  }

  var json: JSONLine {
    var json = JSONLine()
    json.append("kind", .string(index.kind.rawValue))
    json.append("indexes", index.definitions.map(\.json))
    json.append("state", .string(index.state.rawValue))
    if index.isHidden { json.append("hidden", .boolean(true)) }
    if let count = index.entryCount { json.append("entries", .integer(Int64(count))) }
    if let count = index.byteCount { json.append("bytes", .integer(Int64(count))) }
    if let count = index.diskByteCount { json.append("diskBytes", .integer(Int64(count))) }
    appendUse(to: &json)
    return json
  }

  func appendUse(to json: inout JSONLine) {
    json.append("queries", index.queryCount.map { .integer(Int64($0)) } ?? .null)
    json.append("lastUsed", index.lastQueryTime.map { .string($0.rfc3339) } ?? .null)
    json.append("writes", .integer(Int64(index.entryWriteCount)))
    json.append("recordedSince", .string(index.since.rfc3339))
  }
}

extension [IndexStatistics] {
  /// What is known of the entries of an index.
  func holding(_ definition: IndexDefinition) -> IndexStatistics? {
    first { $0.definitions.contains(definition) }
  }
}
