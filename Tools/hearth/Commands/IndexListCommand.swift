import ArgumentParser
import Hearth

struct IndexListCommand: JSONCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract:
      "List the composite indexes, the fields with other indexes than all have, and kept counts.",
    discussion: """
      Columns in a pipe are separated by tabs: kind, collection id, scope, fields, state.

        hearth index list
        hearth index list --json
      """)

  @OptionGroup var database: DatabaseOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let rows = try database.withDatabase { database in
      try database.indexes.list().map { IndexRow($0) }
        + database.indexes.overrides().flatMap(IndexRow.rows)
        + database.indexes.keptCounts().map(IndexRow.init)
    }
    let style = OutputStyle.standardOutput(json: output.json)
    try OutputWriter.withWriter { writer in
      if output.json {
        for row in rows { try writer.print(row.json) }
      } else if style.form == .tables {
        var table = TextTable(IndexRow.columns)
        for row in rows { table.append(row.cells) }
        try writer.append(table.text(width: style.width, style: style.text))
      } else {
        for row in rows { try writer.print(row.cells.map(\.printable).joined(separator: "\t")) }
      }
    }
  }
}
