import FoundationEssentials

/// The form of printed results: for a person at a terminal, or for a program.
package struct OutputStyle: Sendable {
  package enum Form: Sendable, Hashable {
    /// Tables, fitted to the terminal.
    case tables
    /// One JSON object per line.
    case jsonLines
    /// Comma-separated values under a header.
    case csv
    /// A line for each field.
    case vertical
  }

  package let form: Form
  /// Whether the user asked for the form.
  package let isChosen: Bool
  package let text: TextStyle
  /// Number of the terminal's columns; `nil` if there is no terminal.
  package let width: Int?

  /// Whether people read the output, so that figures have commas and units.
  package var isForPeople: Bool { form == .tables || form == .vertical }

  /// Returns the style of standard output, depending on the option `--json`.
  package static func standardOutput(json: Bool) -> OutputStyle {
    standardOutput(format: json ? .json : nil)
  }

  /// Returns the style of standard output in the form that the user chose; `nil` for no choice.
  package static func standardOutput(format: OutputFormat?) -> OutputStyle {
    OutputStyle(
      format: format, of: .standardOutput, environment: ProcessInfo.processInfo.environment)
  }

  /// Returns the style of standard error, which receives messages.
  package static func standardError() -> OutputStyle {
    OutputStyle(
      format: nil, of: .standardError, environment: ProcessInfo.processInfo.environment)
  }

  private init(format: OutputFormat?, of file: FileDescriptor, environment: [String: String]) {
    self.init(
      format: format, isTerminal: file.isTerminal, terminalWidth: file.terminalWidth,
      environment: environment)
  }

  /// Creates a style with tables and colours on terminals only. There are no colours if `NO_COLOR`
  /// is set or `TERM` is `dumb`.
  package init(
    format: OutputFormat?, isTerminal: Bool, terminalWidth: Int?, environment: [String: String]
  ) {
    form =
      switch format {
      case .table: .tables
      case .json: .jsonLines
      case .csv: .csv
      case .vertical: .vertical
      case nil: isTerminal ? .tables : .jsonLines
      }
    isChosen = format != nil
    let isColourless = environment["NO_COLOR"]?.isEmpty == false || environment["TERM"] == "dumb"
    text = isTerminal && !isColourless ? .coloured : .plain
    width = isTerminal ? terminalWidth ?? 80 : nil
  }
}
