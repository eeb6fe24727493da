import ArgumentParser

/// The options for records that can't be imported.
struct RejectOptions: ParsableArguments {
  /// The effect of a bad record on the import.
  enum Reaction: String, ExpressibleByArgument, CaseIterable { case stop, skip }

  @Option(
    name: .customLong("on-error"),
    help: ArgumentHelp(
      "Stop at the first bad record, or skip bad records; then the command ends with 2.",
      valueName: "stop|skip"))
  var reaction = Reaction.stop

  @Option(
    name: .customLong("rejects"),
    help: ArgumentHelp(
      "The file for skipped records, one JSON object a line, each with its line and the reason.",
      valueName: "file"),
    completion: .file())
  var path: String?

  func validate() throws {
    guard path == nil || reaction == .skip else {
      throw ValidationError("--rejects goes with --on-error skip.")
    }
  }

  /// Returns the place for bad records; `nil` if the first one stops the import.
  ///
  /// - Throws: ``ToolFailure`` if the file can't be written.
  func rejects() throws(ToolFailure) -> Rejects? {
    reaction == .skip ? try Rejects(path: path) : nil
  }
}
