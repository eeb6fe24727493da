import Foundation
import TestSupport
import Testing

/// Commands with `--read-only`, which write nothing in the folder of the database.
@Suite struct ReadOnlyRunTests {
  /// A command of each kind that only reads.
  private static let commands = [
    "get cities/tokyo --json", "ls", "ls cities", "count cities", "aggregate cities --sum n",
    "query cities --order-by n", "explain cities -w 'n > 1'", "schema cities --all",
    "export cities", "stats --complete", "verify", "verify --quick", "index list",
    "index export", "index diff firestore.indexes.json", "index redundant", "index unused",
    "ttl list",
  ]

  private static func withCities(_ body: (URL) async throws -> Void) async throws {
    try await withFolder { folder in
      let made = try await ToolScript.shell(
        """
        export HEARTH_DB=a.hearth
        hearth set cities/tokyo '{"n": 37}' && hearth index create cities n:asc m:asc
        hearth compact && hearth set cities/lyon '{"n": 2}' && hearth ttl set cities end
        hearth index export > firestore.indexes.json
        """, in: folder)
      #expect(made.status == 0, "\(made)")
      try await body(folder)
    }
  }

  @Test func theAnswersAreTheSameAndTheFolderToo() async throws {
    try await Self.withCities { folder in
      let path = folder.appending(path: "a.hearth").path
      let before = try FolderTrace(path)
      var answers: [ToolRun] = []
      for command in Self.commands {
        answers.append(
          try await ToolScript.shell("hearth \(command) --read-only --db a.hearth", in: folder))
      }
      #expect(try FolderTrace(path) == before)
      for (command, answer) in zip(Self.commands, answers) {
        let other = try await ToolScript.shell("hearth \(command) --db a.hearth", in: folder)
        #expect(answer.status == other.status && answer.status != 64, "\(command): \(answer)")
        // A sample is another one each time, and the last cache of the process another.
        guard !command.contains("--quick"), !command.contains("stats") else { continue }
        #expect(answer.output == other.output, "\(command)")
      }
    }
  }

  /// Without a socket there is no other way to read beside the owner, and each command sees one
  /// moment: the hundred numbers of the documents that the owner overwrites in turn are adjacent.
  @Test func oneMomentIsReadBesideAWriter() async throws {
    try await AdministrationTests.withApplication(10, isSilent: true) { _, path, folder in
      func hearth(_ command: String) async throws -> ToolRun {
        try await AdministrationTests.hearth(command, path, in: folder)
      }
      let locked = try await hearth("count towns")
      #expect(locked.status == 69 && locked.errors.contains("--read-only"), "\(locked)")
      for command in ["query towns --order-by n", "query towns"] {
        let run = try await hearth("\(command) --fields n --format csv --read-only")
        let numbers = run.output.split(separator: "\n").dropFirst().map { line in
          line.split(separator: ",").last.flatMap { Int($0) } ?? -1
        }.sorted()
        #expect(!numbers.isEmpty && numbers.count <= 100, "\(run)")
        #expect(numbers == Array((numbers.first ?? 0)..<(numbers.first ?? 0) + numbers.count))
      }
    }
  }

  @Test func anApplicationIsAskedFirst() async throws {
    try await AdministrationTests.withApplication(10) { _, path, folder in
      let run = try await AdministrationTests.hearth("query cities --read-only", path, in: folder)
      #expect(run.output.split(separator: "\n").count == 10, "\(run)")
      let stats = try await AdministrationTests.hearth(
        "stats --json --read-only", path, in: folder)
      // The application has kept what it has read.
      #expect(!stats.output.contains(#""documents":0,"documentBytes":0"#), "\(stats)")
    }
  }

  @Test func aRepairIsRefused() async throws {
    let run = try await ToolRun.run(["verify", "--repair", "--read-only", "--db", "a.hearth"])
    #expect(run.status == 64 && run.errors.contains("leave out --read-only"), "\(run)")
  }

  @Test func aCopyLeavesItsSourceAlone() async throws {
    try await Self.withCities { folder in
      let path = folder.appending(path: "a.hearth").path
      let before = try FolderTrace(path)
      let copied = try await ToolScript.shell(
        "hearth copy a.hearth b.hearth --indexes --read-only && hearth count cities --db b.hearth",
        in: folder)
      #expect(copied.output == "2\n", "\(copied)")
      #expect(try FolderTrace(path) == before)
    }
  }

  @Test func aShellThatReadsRefusesToWrite() async throws {
    try await Self.withCities { folder in
      let path = folder.appending(path: "a.hearth").path
      let before = try FolderTrace(path)
      let run = try await ToolScript.shell(
        """
        printf '%s\n' 'count cities' 'set cities/x {}' 'index drop cities n:asc m:asc --yes' \
          'verify --repair' 'serve --port 0' 'console' \
          | hearth shell --read-only --db a.hearth
        """, in: folder)
      #expect(run.output == "2\n" && run.status == 64, "\(run)")
      #expect(run.errors.split(separator: "\n").count == 5, "\(run)")
      #expect(run.errors.contains("the shell was started with --read-only"), "\(run)")
      #expect(try FolderTrace(path) == before)
    }
  }
}
