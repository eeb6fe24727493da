import Foundation
import Testing

/// The tool's messages for files that can't be read, and the statuses for scripts.
@Suite struct StoreFailureTests {
  /// Runs `body` with a database whose documents are all in tables.
  private static func withTables(_ body: (URL) async throws -> Void) async throws {
    try await withFolder { folder in
      let made = try await ToolScript.shell(
        "hearth set c/1 '{\"n\": 1}' --db a.hearth && hearth compact --db a.hearth", in: folder)
      #expect(made.status == 0, "\(made.errors)")
      try await body(folder)
    }
  }

  private static func shortenTables(in folder: URL) throws {
    let store = folder.appending(path: "a.hearth/store")
    let names = try FileManager.default.contentsOfDirectory(atPath: store.path)
    let tables = names.filter { $0.hasSuffix(".ldb") }
    #expect(!tables.isEmpty)
    for table in tables {
      let file = store.appending(path: table)
      let bytes = try Data(contentsOf: file)
      try bytes.prefix(bytes.count / 2).write(to: file)
    }
  }

  /// LevelDB calls it an invalid argument.
  @Test func aTableThatEndsEarlyIsLossAndNotInUse() async throws {
    try await Self.withTables { folder in
      try Self.shortenTables(in: folder)
      let run = try await ToolScript.shell("hearth count c --db a.hearth", in: folder)
      #expect(run.status == 74)
      #expect(run.errors.contains("hearth salvage") && run.errors.contains("Invalid argument"))
      #expect(!run.errors.contains("--wait"), "\(run.errors)")
      let json = try await ToolScript.shell("hearth count c --json --db a.hearth", in: folder)
      #expect(json.status == 74 && json.errors.contains("DATA_LOSS"), "\(json.errors)")
    }
  }

  /// A file that no user may write, with any rights.
  private static let unwritable = "/sys/kernel/uevent_seqnum"

  @Test(.enabled(if: FileManager.default.fileExists(atPath: unwritable)))
  func missingRightsAreSaidInTheToolsWords() async throws {
    try await Self.withTables { folder in
      let lock = folder.appending(path: "a.hearth/LOCK")
      try FileManager.default.removeItem(at: lock)
      try FileManager.default.createSymbolicLink(
        atPath: lock.path, withDestinationPath: Self.unwritable)
      let run = try await ToolScript.shell("hearth count c --db a.hearth", in: folder)
      #expect(run.status == 77 && run.errors.contains("rights to read and to write"))
      #expect(run.errors.contains("--read-only") && !run.errors.contains("readOnly"))
      let read = try await ToolScript.shell("hearth count c --read-only --db a.hearth", in: folder)
      #expect(read.output == "1\n" && read.errors.isEmpty, "\(read)")
    }
  }

  /// The file for which the first handle is missing can be any.
  @Test func tooFewFileHandlesAreSaid() async throws {
    try await Self.withTables { folder in
      // The process also inherits the files that the tests themselves have open.
      let command = """
        for limit in 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 40 80 200; do
          (ulimit -n $limit; hearth count c --db a.hearth) 2>&1; echo "status $?"
        done
        """
      let run = try await ToolScript.shell(command, in: folder)
      let answers = run.output.split(separator: "status ")
      let refused = answers.filter { $0.contains("Error: ") }
      #expect(!refused.isEmpty, "\(run.output)")
      for answer in refused {
        #expect(answer.contains("Too many open files") && answer.contains("ulimit -n"))
        #expect(!answer.contains("--wait") && !answer.contains(" at byte "), "\(answer)")
      }
      #expect(run.output.contains("status 74\n"))
      #expect(run.output.hasSuffix("1\nstatus 0\n"), "\(run.output)")
    }
  }
}
