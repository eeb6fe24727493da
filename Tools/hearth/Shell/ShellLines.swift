import HearthFirestoreJSON

/// The lines of a shell: commands of the tool, and those of the shell itself.
package struct ShellLines {
  /// The variable that tells a command that it is one of a shell's.
  static let variable = "HEARTH_SHELL"

  package enum Ending {
    case status(Int32)
    /// The line held no command of the tool.
    case nothing
    /// The shell ends.
    case end
  }

  private let folder: String
  /// Whether commands that write are refused.
  private let isReadOnly: Bool
  /// Whether rows have a line for each field.
  private var isVertical = false

  package init(folder: String, isReadOnly: Bool = false) {
    self.folder = folder
    self.isReadOnly = isReadOnly
  }

  /// Runs a line.
  ///
  /// - Parameter begin: is called before a command runs.
  package mutating func run(_ line: String, begin: () -> Void = {}) throws -> Ending {
    // A line from a terminal has an end.
    if let command = line.split(whereSeparator: \.isWhitespace).first, command.hasPrefix("\\") {
      return try runOwn(command)
    }
    var words = try ShellWords.words(of: line)
    if words.first == "hearth" { words.removeFirst() }
    guard let first = words.first else { return .nothing }
    if ["exit", "quit"].contains(first) { return .end }
    begin()
    return .status(
      try ChildProcess.run(
        words,
        [
          // The database named by the folder is in the environment of all lines.
          "HEARTH_DB": folder, ShellLines.variable: "1",
          DatabaseOptions.readOnlyVariable: isReadOnly ? "1" : "",
          RowOptions.variable: isVertical ? OutputFormat.vertical.rawValue : "",
        ]))
  }

  /// Runs a command of the shell itself.
  private mutating func runOwn(_ command: Substring) throws -> Ending {
    switch command {
    case "\\q": return .end
    case "\\x":
      isVertical.toggle()
      StandardError.print(
        isVertical ? "Rows have a line for each field." : "Rows stand in tables.")
      return .nothing
    default:
      throw ToolFailure.badInput(
        "\(command.printable) is no command: \\x switches between tables and a line for each "
          + "field, \\q ends the shell.")
    }
  }
}

extension Substring {
  fileprivate var printable: String { String(self).printable }
}
