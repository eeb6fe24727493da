import Foundation
import TestSupport

/// Golden scripts of shell commands, with the built `hearth` first in the path.
enum ToolScript {
  /// Runs every command of the script in one new folder, and returns the differences from its
  /// answers.
  static func difference(in path: String) async throws -> String? {
    try await withFolder { folder in
      try await GoldenScript.difference(in: path) { command in
        try await shell(command, in: folder).transcript.steady(in: folder)
      }
    }
  }

  /// Runs a command line of the shell.
  static func shell(_ command: String, in folder: URL) async throws -> ToolRun {
    let tools = ToolRun.executable.deletingLastPathComponent().path
    return try await ToolRun.run(
      ["-c", command], executable: URL(filePath: "/bin/sh"),
      environment: ["PATH": "\(tools):/usr/bin:/bin"], in: folder)
  }
}

extension String {
  /// Returns the text without the parts that differ from run to run: times, speeds and the folder.
  fileprivate func steady(in folder: URL) -> String {
    replacing(folder.path, with: "FOLDER").replacing(
      /\ in [0-9.,]+ (ns|µs|ms|s), [0-9.,]+\/s/, with: " in TIME"
    )
    .replacing(/[0-9.,]+ (?:ns|µs|ms|s) (planning|finding|reading)/) { "TIME \($0.output.1)" }
    .replacing(/"executionDuration":"[0-9.]+s"/, with: "\"executionDuration\":\"TIME\"")
    .replacing(/"20[2-9]\d-\d\d-\d\dT[0-9:.]+Z"/, with: "\"TIME\"")
  }
}
