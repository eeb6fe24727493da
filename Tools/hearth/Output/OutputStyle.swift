import FoundationEssentials

/// How results are printed: for a person at a terminal, or for a program.
package struct OutputStyle: Sendable {
  package enum Form: Sendable, Hashable {
    /// Tables, fitted to the terminal.
    case tables
    /// One JSON object a line.
    case jsonLines
  }

  package let form: Form
  package let text: TextStyle
  /// The terminal's columns; `nil` where there is no terminal.
  package let width: Int?

  /// The style of standard output, given whether `--json` was said.
  package static func standardOutput(json: Bool) -> OutputStyle {
    OutputStyle(
      json: json, of: .standardOutput, environment: ProcessInfo.processInfo.environment)
  }

  /// The style of standard error, where messages go.
  package static func standardError() -> OutputStyle {
    OutputStyle(
      json: false, of: .standardError, environment: ProcessInfo.processInfo.environment)
  }

  private init(json: Bool, of file: FileDescriptor, environment: [String: String]) {
    self.init(
      json: json, isTerminal: file.isTerminal, terminalWidth: file.terminalWidth,
      environment: environment)
  }

  /// Tables and colours on terminals only; no colours where `NO_COLOR` is set or `TERM` is `dumb`.
  package init(
    json: Bool, isTerminal: Bool, terminalWidth: Int?, environment: [String: String]
  ) {
    form = isTerminal && !json ? .tables : .jsonLines
    let isColourless = environment["NO_COLOR"]?.isEmpty == false || environment["TERM"] == "dumb"
    text = isTerminal && !isColourless ? .coloured : .plain
    width = isTerminal ? terminalWidth ?? 80 : nil
  }
}
