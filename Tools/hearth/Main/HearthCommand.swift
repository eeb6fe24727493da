import ArgumentParser
import Hearth

/// The `hearth` tool: its commands, its exit status and its error output.
@main
struct HearthCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hearth",
    abstract: "A document database with Cloud Firestore's data model and index rules.",
    discussion: """
      No query is slow: it runs off an index, or it is refused with the command that creates the \
      index.

        hearth import cities cities.ndjson --id-field id --db cities.hearth
        hearth query cities 'countryCode == "JP"' --db cities.hearth

      The database is a folder, named by --db or the variable HEARTH_DB. One process at \
      a time opens it. While an application has it open, the application answers reads, checks and \
      the commands of index and ttl, through a socket in the folder, and writes if it allows them. \
      bench and salvage need the database for themselves.

      Exit status:
      \(ExitStatus.helpText)
      """,
    version: Release.version,
    groupedSubcommands: [
      CommandGroup(
        name: "Documents",
        subcommands: [
          ImportCommand.self, ExportCommand.self, CopyCommand.self, ListCommand.self,
          GetCommand.self, SetCommand.self, UpdateCommand.self, EditCommand.self,
          DeleteCommand.self, CommitCommand.self,
        ]),
      CommandGroup(
        name: "Queries",
        subcommands: [
          QueryCommand.self, CountCommand.self, AggregateCommand.self, SchemaCommand.self,
          ExplainCommand.self,
          CheckCommand.self, WatchCommand.self, BenchCommand.self,
        ]),
      CommandGroup(name: "Working", subcommands: [ShellCommand.self]),
      CommandGroup(name: "Serving", subcommands: [ServeCommand.self, ConsoleCommand.self]),
      CommandGroup(name: "Rules", subcommands: [RulesCommand.self]),
      CommandGroup(
        name: "Upkeep",
        subcommands: [
          IndexCommand.self, TTLCommand.self, StatsCommand.self, VerifyCommand.self,
          CompactCommand.self, SalvageCommand.self,
        ]),
    ])

  static func main() {
    FileDescriptor.reportBrokenPipes()
    let status = run(Array(CommandLine.arguments.dropFirst()))
    exit(withError: ExitCode(status.rawValue))
  }

  private static func run(_ arguments: [String]) -> ExitStatus {
    var isJSON = false
    do {
      var command = try parseAsRoot(arguments.withoutBareWait)
      isJSON = (command as? any JSONCommand)?.output.json ?? false
      try command.run()
      Pager.waitForEnd()
      return .done
    } catch {
      Pager.waitForEnd()
      if let report = ErrorReport(error) {
        report.print(json: isJSON)
        if !isJSON, let refusal = error as? Refusal, createsIndex(of: refusal) {
          return run(arguments)
        }
        return report.status
      }
      return answer(error, to: arguments)
    }
  }

  /// Offers to create the index that a query lacks, for a command of the shell.
  ///
  /// - Returns: whether the index was created.
  private static func createsIndex(of refusal: Refusal) -> Bool {
    guard ShellCommand.isParent, !DatabaseOptions.isInReadOnlyShell, Confirmation.isPossible,
      let creation = refusal.creation
    else {
      return false
    }
    // An unreadable answer is none.
    guard (try? Confirmation.ask("\nCreate it now?")) == true else { return false }
    return run(creation) == .done
  }

  /// Prints ArgumentParser's answer: a help text, the version, or the fault in the command line.
  private static func answer(_ error: any Error, to arguments: [String]) -> ExitStatus {
    let code = exitCode(for: error)
    if code.rawValue == ExitStatus.usage.rawValue,
      let mistake = CommandTable(description: _dumpHelp()).mistake(in: arguments)
    {
      let failure = ToolFailure(.usage, .invalidArgument, mistake.message)
      ErrorReport(failure)?.print(json: arguments.contains("--json"))
      return .usage
    }
    let text = fullMessage(for: error)
    // A complete answer, but with a status other than 0.
    if text.isEmpty { return ExitStatus(rawValue: code.rawValue) ?? .fault }
    let file: FileDescriptor = code.isSuccess ? .standardOutput : .standardError
    do {
      try file.write((text + "\n").utf8)
    } catch {
      return error.isBrokenPipe ? .done : .inputOutput
    }
    return ExitStatus(rawValue: code.rawValue) ?? .fault
  }
}
