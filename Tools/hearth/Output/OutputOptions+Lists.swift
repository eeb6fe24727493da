import Hearth

extension OutputOptions {
  /// Prints a list: as a table on a terminal; elsewhere as lines of cells separated by tabs, or as
  /// lines of JSON.
  ///
  /// - Parameter style: the style of standard output, if the caller has it already.
  func list<Row>(
    _ rows: [Row], _ columns: [TextTable.Column], in style: OutputStyle? = nil,
    _ jsonOfRow: (Row) -> JSONLine, _ cellsOfRow: (Row) -> [String]
  ) throws {
    let style = style ?? OutputStyle.standardOutput(json: json)
    try OutputWriter.withWriter { writer in
      if json {
        for row in rows { try writer.print(jsonOfRow(row)) }
      } else if style.form == .tables {
        var table = TextTable(columns)
        for row in rows { table.append(cellsOfRow(row)) }
        try writer.append(table.text(width: style.width, style: style.text))
      } else {
        for row in rows {
          try writer.print(cellsOfRow(row).map(\.printable).joined(separator: "\t"))
        }
      }
    }
  }
}
