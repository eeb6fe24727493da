import Foundation

/// A run of one of the programs that are built beside the tests, which a test reads from and kills.
package final class RunningWriter {
  private let process = Process()
  private let output = Pipe()
  private let ended = DispatchSemaphore(value: 0)
  private var unread: [UInt8] = []

  /// - Parameters:
  ///   - environment: the program's variables beside those of the tests.
  ///   - errors: the path of a file for its standard error; `nil` for that of the tests.
  ///   - limits: the options by which the shell's `ulimit` limits it; `nil` for the tests' limits.
  package init(
    _ arguments: [String], program: String = "CrashWriter", environment: [String: String] = [:],
    errors: String? = nil, limits: String? = nil
  ) throws {
    let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let folder = URL(fileURLWithPath: tests).deletingLastPathComponent()
    let file = folder.appendingPathComponent(program)
    if let limits {
      process.executableURL = URL(fileURLWithPath: "/bin/sh")
      let script = "ulimit \(limits) && exec \"$0\" \"$@\""
      process.arguments = ["-c", script, file.path] + arguments
    } else {
      process.executableURL = file
      process.arguments = arguments
    }
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardOutput = output
    if let errors {
      try Data().write(to: URL(fileURLWithPath: errors))
      process.standardError = FileHandle(forWritingAtPath: errors)
    }
    process.terminationHandler = { [ended] _ in ended.signal() }
    try process.run()
  }

  /// Status after the program has ended; the number of the signal, if one ended it.
  package var exitStatus: Int { Int(process.terminationStatus) }

  package var processIdentifier: Int { Int(process.processIdentifier) }

  /// Returns the next line that the program prints; `nil` at its end.
  package func nextLine() -> String? {
    while true {
      if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
        defer { unread.removeFirst(end + 1) }
        return String(decoding: unread[..<end], as: UTF8.self)
      }
      let data = output.fileHandleForReading.availableData
      // A line without an end was never finished, so it doesn't count.
      if data.isEmpty { return nil }
      unread += data
    }
  }

  /// Kills the program at once, and returns the remaining lines that it had printed.
  package func kill() -> [String] {
    Glibc.kill(process.processIdentifier, SIGKILL)
    return finish()
  }

  package func send(_ signal: Int32) { Glibc.kill(process.processIdentifier, signal) }

  /// Returns the rest of the lines, once the program has ended.
  package func finish() -> [String] {
    var lines: [String] = []
    while let line = nextLine() { lines.append(line) }
    ended.wait()
    return lines
  }

  deinit {
    if process.isRunning { Glibc.kill(process.processIdentifier, SIGKILL) }
  }
}
