import FoundationEssentials
import Synchronization

/// The program that shows long output on a terminal page by page: `$PAGER`, or else `less -FRX` if
/// there is one.
package struct Pager: Sendable {
  /// The pager that is running, if there is one.
  private static let running = Mutex<ChildProcess?>(nil)

  /// A command of the shell.
  package let command: String
  /// Numbers of the terminal's lines and columns.
  private let height: Int
  private let width: Int

  /// Returns the pager for standard output; `nil` if that is no terminal, or the user wants none.
  static func standard() -> Pager? {
    let output = FileDescriptor.standardOutput
    guard output.isTerminal else { return nil }
    let environment = ProcessInfo.processInfo.environment
    return Pager(
      environment: environment, height: output.terminalHeight ?? 24,
      width: output.terminalWidth ?? 80
    ) { FileDescriptor.isProgram($0) }
  }

  /// - Parameter isProgram: tells whether there is a program at a path.
  package init?(
    environment: [String: String], height: Int, width: Int, isProgram: (String) -> Bool
  ) {
    self.height = height
    self.width = width
    if let chosen = environment["PAGER"] {
      guard !chosen.isEmpty, chosen != "cat" else { return nil }
      command = chosen
    } else {
      let folders = (environment["PATH"] ?? "").split(separator: ":")
      guard environment["TERM"] != "dumb", folders.contains(where: { isProgram("\($0)/less") })
      else { return nil }
      command = "less -FRX"
    }
  }

  /// Whether `text` is longer than the terminal.
  package func needs(_ text: [UInt8]) -> Bool {
    // Letters of several bytes and colours count too much: the pager then sees for itself.
    let lines = text.split(separator: .newline, omittingEmptySubsequences: false).dropLast()
    let count = lines.reduce(0) { $0 + 1 + max($1.count - 1, 0) / max(width, 1) }
    return count >= height
  }

  /// Starts the program, and returns the file for its input.
  func begin() throws -> FileDescriptor {
    let (child, input) = try ChildProcess.startReader(
      // As for Git: colours are shown, and a short text ends the pager.
      command, defaults: ["LESS": "FRX"])
    Pager.running.withLock { $0 = child }
    return input
  }

  /// Waits until the user has left the pager, if there is one.
  static func waitForEnd() {
    let child = running.withLock { child in
      defer { child = nil }
      return child
    }
    // The program's own status says nothing about the output.
    _ = try? child?.waitForEnd()
  }
}
