import HearthAdminSocket
import ArgumentParser
import Hearth

struct IndexListCommand: JSONCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: """
      List the composite indexes, the fields with other indexes than the default, and the kept \
      counts.
      """,
    discussion: """
      Columns in a pipe are separated by tabs: kind, collection id, scope, fields, state; with \
      --usage also queries, last used, and writes of entries. For an index that is being built, \
      the state shows the progress, and whether the build is paused, or stalled, that is, hasn't \
      moved for half a minute.

        hearth index list
        hearth index list --usage
        hearth index list --json
      """)

  @Flag(
    help: """
      Show the number of queries that each index served, the time of the last one, and the writes \
      of its entries.
      """)
  var usage = false

  @OptionGroup var database: ReadingOptions
  @OptionGroup var output: RowOptions

  func run() throws {
    let (list, builds, statistics) = try database.withSession { session in
      (
        try session.run(IndexListCall()),
        try session.run(IndexBuildsCall(isAwaited: false)).elements,
        usage ? try session.run(StatisticsCall(countingEntries: false)) : nil
      )
    }
    var rows =
      list.composites.map { IndexRow($0, builds) } + list.overrides.flatMap(IndexRow.rows)
      + list.keptCounts.map(IndexRow.init)
    let style = output.style
    if let statistics {
      rows = rows.map { $0.with($0.definition.flatMap(statistics.indexes.holding), style) }
    }
    let columns = IndexRow.columns + (usage ? UsageRow.useColumns : [])
    try output.list(rows, columns, \.json, \.cells)
  }
}

extension IndexRow {
  /// Returns the row with the index's use. Kept counts and the like have no record of their use.
  fileprivate func with(_ index: IndexStatistics?, _ style: OutputStyle) -> IndexRow {
    var row = self
    guard let use = index.map(UsageRow.init) else {
      row.cells += UsageRow.useColumns.map { _ in "-" }
      return row
    }
    row.cells += use.useCells(style)
    row.json = row.json + use.use
    return row
  }
}
