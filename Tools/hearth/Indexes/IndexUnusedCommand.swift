import ArgumentParser
import HearthDocumentEngine
import HearthFirestoreJSON
import Hearth

struct IndexUnusedCommand: JSONCommand {
  static let configuration = CommandConfiguration(
    commandName: "unused",
    abstract: "List the indexes that no query has used for some time.",
    discussion: """
      Lists only indexes that existed all that time. Use is recorded while an application has the \
      database open, including the queries that it answers for this tool; queries that this tool \
      runs on a database that it opened itself don't count. To try out a drop, hide the index.

      Columns in a pipe are separated by tabs: kind, collection id, scope, fields, state, queries, \
      last used, writes of entries, recorded since.

        hearth index unused --since 7d
        hearth index unused --since 30d --all-fields --json
      """)

  @Option(help: ArgumentHelp("The time without a use.", valueName: "time"))
  var since = SpanOfTime(seconds: 7 * 86_400)

  @Flag(help: "List the single-field indexes of all fields too, not only those that were chosen.")
  var allFields = false

  /// The earlier name of ``allFields``. Elsewhere it names the fields to show.
  @Flag(help: .hidden)
  var fields = false

  @OptionGroup var database: ReadingOptions
  @OptionGroup var output: RowOptions

  func run() throws {
    let (statistics, chosen) = try database.withSession { session in
      (
        try session.run(StatisticsCall(countingEntries: false)),
        try session.run(IndexListCall()).overrides.flatMap(IndexRow.definitions)
      )
    }
    let microseconds = Int64(since.duration / .microseconds(1))
    let time = try Timestamp(microseconds: SystemClock().now().microseconds - microseconds)
    note(statistics, time)
    let rows = statistics.indexes.filter { index in
      let isListed =
        switch index.kind {
        case .composite: true
        case .field: allFields || fields || index.definitions.contains(where: chosen.contains)
        case .names: false
        }
      return isListed && index.state == .ready && index.isUnused(since: time)
    }.map(UsageRow.init)
    let style = output.style
    try output.list(rows, UsageRow.unusedColumns, \.json) { $0.unusedCells(style) }
  }

  /// Says on standard error if use is recorded for less than the requested time. Without the note,
  /// an empty list would claim too much.
  private func note(_ statistics: DatabaseStatistics, _ time: Timestamp) {
    guard statistics.usageStart > time else { return }
    StandardError.print(
      "Note: the use of indexes is recorded since \(statistics.usageStart.rfc3339) only.")
  }
}
