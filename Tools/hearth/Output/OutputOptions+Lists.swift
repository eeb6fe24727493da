import Hearth

extension OutputOptions {
  /// Prints an answer: as JSON for a program, or as a sentence.
  func report(
    _ answer: @autoclosure () -> JSONLine, _ sentence: @autoclosure () -> String
  ) throws {
    try report(answer()) { _ in sentence() + "\n" }
  }

  /// Prints an answer: as JSON for a program, or as text, each line with its end.
  func report(_ answer: @autoclosure () -> JSONLine, _ text: (OutputStyle) -> String) throws {
    let style = OutputStyle.standardOutput(json: json)
    try OutputWriter.withWriter { writer in
      if json { try writer.print(answer()) } else { try writer.append(text(style)) }
    }
  }

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
