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
      a line, or stops the running command; exit or Ctrl-D ends the shell. \\x switches between \
      tables and a line for each field. Long results are shown by the pager.

        hearth shell --db cities.hearth
        echo 'count cities' | hearth shell --db cities.hearth

      After a query that is refused, the shell offers to create its index. Between two commands no \
      process has the database open, so that applications can come and go. With --read-only its \
      commands write nothing, and those that would are refused. Without a terminal it \
      reads commands from standard input, and ends with the status of the last one.
      """)

  @OptionGroup var database: ReadingOptions

  /// Whether the process is a command of a shell.
  static var isParent: Bool { ProcessInfo.processInfo.environment[ShellLines.variable] == "1" }

  func run() throws {
    let folder = try database.database.folder()
    var lines = ShellLines(folder: folder, isReadOnly: database.readOnly)
    guard FileDescriptor.standardInput.isTerminal, FileDescriptor.standardOutput.isTerminal else {
      return try run(&lines)
    }
    try runTerminal(folder, &lines)
  }

  /// Runs the lines of standard input.
  private func run(_ lines: inout ShellLines) throws {
    var input = try InputLines(InputBytes(ByteSource(path: "-")))
    var (line, status): ([UInt8], Int32) = ([], 0)
    while try input.next(into: &line) {
      switch try lines.run(String(decoding: line, as: UTF8.self)) {
      case .end: return try end(status)
      case .nothing: continue
      case .status(let next): status = next
      }
    }
    try end(status)
  }

  private func end(_ status: Int32) throws {
    if status != 0 { throw ExitCode(status) }
  }

  private func runTerminal(_ folder: String, _ lines: inout ShellLines) throws {
    let names = SampledNames(database.database)
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
        switch try lines.run(line, begin: { editor.remember(line) }) {
        case .end: return
        case .nothing: continue
        case .status(ChildProcess.interruptedStatus):
          try FileDescriptor.standardOutput.write("\n".utf8)
        case .status: break
        }
        names.forget()
      } catch {
        editor.remember(line)
        ErrorReport(error)?.print(json: false)
      }
    }
  }

  /// Returns the name of a database's folder, without its path and ending.
  private static func title(of folder: String) -> String {
    let name = folder.split(separator: "/").last.map(String.init) ?? folder
    return name.hasSuffix(".hearth") ? String(name.dropLast(7)) : name
  }
}
