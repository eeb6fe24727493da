import FoundationEssentials

/// The form of printed results: for a person at a terminal, or for a program.
package struct OutputStyle: Sendable {
  package enum Form: Sendable, Hashable {
    /// Tables, fitted to the terminal.
    case tables
    /// One JSON object per line.
    case jsonLines
  }

  package let form: Form
  package let text: TextStyle
  /// Number of the terminal's columns; `nil` if there is no terminal.
  package let width: Int?

  /// Returns the style of standard output, depending on the option `--json`.
  package static func standardOutput(json: Bool) -> OutputStyle {
    OutputStyle(
      json: json, of: .standardOutput, environment: ProcessInfo.processInfo.environment)
  }

  /// Returns the style of standard error, which receives messages.
  package static func standardError() -> OutputStyle {
    OutputStyle(
      json: false, of: .standardError, environment: ProcessInfo.processInfo.environment)
  }

  private init(json: Bool, of file: FileDescriptor, environment: [String: String]) {
    self.init(
      json: json, isTerminal: file.isTerminal, terminalWidth: file.terminalWidth,
      environment: environment)
  }

  /// Creates a style with tables and colours on terminals only. There are no colours if `NO_COLOR`
  /// is set or `TERM` is `dumb`.
  package init(
    json: Bool, isTerminal: Bool, terminalWidth: Int?, environment: [String: String]
  ) {
    form = isTerminal && !json ? .tables : .jsonLines
    let isColourless = environment["NO_COLOR"]?.isEmpty == false || environment["TERM"] == "dumb"
    text = isTerminal && !isColourless ? .coloured : .plain
    width = isTerminal ? terminalWidth ?? 80 : nil
  }
}
