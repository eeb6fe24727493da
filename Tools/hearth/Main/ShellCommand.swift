import ArgumentParser
import FoundationEssentials
import HearthFirestoreJSON
import Hearth

struct ShellCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "shell",
    abstract: "Type commands without their hearth, with history and completion.",
    discussion: """
      Each line is a command of the tool without "hearth", with the quotes of a shell; it works on \
      the database of --db, and runs as a process of its own. Tab completes commands, options, \
      collections, documents, and in conditions fields and values, as far as a sample of 200 \
      documents has them. Ctrl-R searches the history, which is ~/.hearth_history. Ctrl-C gives up \
      a line, or stops the running command; exit or Ctrl-D ends the shell.

        hearth shell --db cities.hearth
        echo 'count cities' | hearth shell --db cities.hearth

      After a query that is refused, the shell offers to create its index. Between two commands no \
      process has the database open, so that applications can come and go. Without a terminal it \
      reads commands from standard input, and ends with the status of the last one.
      """)

  /// The variable that tells a command that it is one of a shell's.
  private static let variable = "HEARTH_SHELL"

  @OptionGroup var database: DatabaseOptions

  /// Whether the process is a command of a shell.
  static var isParent: Bool { ProcessInfo.processInfo.environment[variable] == "1" }

  func run() throws {
    // The command named by the folder is in the environment of all lines.
    let folder = try database.folder()
    let environment = ["HEARTH_DB": folder, ShellCommand.variable: "1"]
    guard FileDescriptor.standardInput.isTerminal, FileDescriptor.standardOutput.isTerminal else {
      return try runLines(environment)
    }
    try runTerminal(folder, environment)
  }

  private func runLines(_ environment: [String: String]) throws {
    var lines = try InputLines(InputBytes(ByteSource(path: "-")))
    var (line, status): ([UInt8], Int32) = ([], 0)
    while try lines.next(into: &line) {
      guard let words = try words(of: String(decoding: line, as: UTF8.self)) else { break }
      if !words.isEmpty { status = try ChildProcess.run(words, environment) }
    }
    if status != 0 { throw ExitCode(status) }
  }

  private func runTerminal(_ folder: String, _ environment: [String: String]) throws {
    let names = SampledNames(database)
    let commands = CommandTable(description: HearthCommand._dumpHelp())
    let home = ProcessInfo.processInfo.environment["HOME"]
    let editor = LineEditor(
      prompt: "\(ShellCommand.title(of: folder))> ",
      historyFile: home.map { "\($0)/.hearth_history" })
    editor.complete = ShellCompletion(commands: commands, names: names).completion
    ChildProcess.leaveInterruptsToChildren()
    while true {
      let line: String
      switch editor.next() {
      case .cancelled: continue
      case .end:
        try FileDescriptor.standardOutput.write("\n".utf8)
        return
      case .text(let text): line = text
      }
      do {
        guard let words = try words(of: line) else { return }
        guard !words.isEmpty else { continue }
        editor.remember(line)
        if try ChildProcess.run(words, environment) == ChildProcess.interruptedStatus {
          try FileDescriptor.standardOutput.write("\n".utf8)
        }
        names.forget()
      } catch {
        editor.remember(line)
        ErrorReport(error)?.print(json: false)
      }
    }
  }

  /// Returns the words of a line, without a leading `hearth`; `nil` for the end of the shell.
  private func words(of line: String) throws -> [String]? {
    var words = try ShellWords.words(of: line)
    if words.first == "hearth" { words.removeFirst() }
    return ["exit", "quit", "\\q"].contains(words.first) ? nil : words
  }

  /// Returns the name of a database's folder, without its path and ending.
  private static func title(of folder: String) -> String {
    let name = folder.split(separator: "/").last.map(String.init) ?? folder
    return name.hasSuffix(".hearth") ? String(name.dropLast(7)) : name
  }
}
