import ArgumentParser
import FoundationEssentials

/// The options for the form of rows.
struct RowOptions: ParsableArguments, OutputChoice {
  /// The variable by which a shell tells its commands a form.
  static let variable = "HEARTH_SHELL_FORMAT"

  @Option(
    help: ArgumentHelp(
      "The form of the rows: table, json, csv or vertical, which has a line for each field."))
  var format: OutputFormat?

  @Flag(name: .customLong("json"), help: "The same as --format json; errors too.")
  var isJSON = false

  @OptionGroup var pager: PagerOptions

  var json: Bool { isJSON || format == .json }

  func validate() throws {
    guard !isJSON || format == nil || format == .json else {
      throw ValidationError("--json and --format \(format?.rawValue ?? "") exclude each other.")
    }
  }

  /// The style of standard output.
  var style: OutputStyle { OutputStyle.standardOutput(format: chosen) }

  /// The form that an option or the shell asks for.
  private var chosen: OutputFormat? {
    if json { return .json }
    return format
      ?? ProcessInfo.processInfo.environment[RowOptions.variable].flatMap(OutputFormat.init)
  }

  /// Returns the style of standard output for documents, which are JSON if they have all types.
  func style(typed: Bool) -> OutputStyle {
    typed ? OutputStyle.standardOutput(json: true) : style
  }

  /// - Throws: an error if documents with all types, which are JSON, are to have another form.
  func refuse(typed: Bool) throws {
    guard !typed || format == nil || format == .json else {
      throw ValidationError("--typed is JSON: leave out --format \(format?.rawValue ?? "").")
    }
  }

  /// Prints a list in the chosen form. Without a choice it is a table on a terminal, and elsewhere
  /// lines of cells separated by tabs.
  func list<Row>(
    _ rows: [Row], _ columns: [TextTable.Column], _ jsonOfRow: (Row) -> JSONLine,
    _ cellsOfRow: (Row) -> [String]
  ) throws {
    let style = style
    try pager.withWriter { writer in
      switch style.form {
      case .jsonLines where style.isChosen:
        for row in rows { try writer.print(jsonOfRow(row)) }
      case .jsonLines:
        for row in rows {
          try writer.print(cellsOfRow(row).map(\.printable).joined(separator: "\t"))
        }
      case .csv:
        try writer.append(CSVText.line(columns.map(\.title)))
        for row in rows { try writer.append(CSVText.line(cellsOfRow(row))) }
      case .vertical:
        for (place, row) in rows.enumerated() {
          let record = VerticalRecord(Array(zip(columns.map(\.title), cellsOfRow(row))))
          try writer.append(record.text(title: "\(place + 1)", style))
        }
      case .tables:
        var table = TextTable(columns)
        for row in rows { table.append(cellsOfRow(row)) }
        try writer.append(
          table.text(width: style.width, style: style.text, advice: TextTable.advice))
      }
    }
  }
}
