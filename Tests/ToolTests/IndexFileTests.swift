import Foundation
import TestSupport
import Testing

/// Index files of five well-known shapes, through the tool.
@Suite struct IndexFileTests {
  private static let fixtures = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Fixtures/index-files")

  @Test(arguments: ["chat", "shop", "feed", "search", "deliveries"])
  func roundTripLeavesNoDifference(_ name: String) async throws {
    let file = Self.fixtures.appending(path: "\(name).json").path
    try await withFolder { folder in
      func hearth(_ arguments: String...) async throws -> ToolRun {
        try await ToolRun.run(arguments, in: folder)
      }
      for database in ["a", "b"] {
        _ = try await hearth(
          "set", "messages/1", #"{"threadId": 1, "sentAt": 2}"#, "--db", database)
      }
      let before = try await hearth("index", "diff", file, "--db", "a")
      #expect(before.status == 2 && before.output.hasPrefix("+ "), "\(before.transcript)")

      let applied = try await hearth("index", "apply", file, "--prune", "--yes", "--db", "a")
      #expect(applied.status == 0 && applied.errors.isEmpty, "\(applied.transcript)")
      #expect(applied.output.hasPrefix(before.output) && applied.output.contains("Applied"))
      let again = try await hearth("index", "apply", file, "--prune", "--yes", "--db", "a")
      #expect(again.output == "Nothing to do: the database has the indexes of \(file).\n")
      let after = try await hearth("index", "diff", file, "--db", "a")
      #expect(after.transcript.isEmpty, "\(after.transcript)")

      let exported = try await hearth("index", "export", "-o", "out.json", "--db", "a")
      #expect(exported.status == 0 && exported.output.isEmpty, "\(exported.transcript)")
      _ = try await hearth("index", "apply", "out.json", "--db", "b")
      let second = try await hearth("index", "export", "--db", "b")
      let written = try Data(contentsOf: folder.appending(path: "out.json"))
      #expect(Data(second.output.utf8) == written)
      let last = try await hearth("index", "diff", file, "--json", "--db", "b")
      #expect(last.transcript.isEmpty, "\(last.transcript)")
    }
  }

  /// All steps on the database of another process, and a time to live without an override.
  @Test func goesThroughTheSocket() async throws {
    let file = Self.fixtures.appending(path: "shop.json").path
    try await withFolder { folder in
      let path = folder.appending(path: "app.hearth").path
      let application = try RunningWriter([path, "50", "0"], program: "AdminHost")
      #expect(application.nextLine() == "ready")
      func hearth(_ command: String) async throws -> ToolRun {
        try await ToolScript.shell("hearth \(command) --db \(path)", in: folder)
      }
      let applied = try await hearth("index apply '\(file)'")
      #expect(applied.output.hasSuffix("Applied 13 changes.\n"), "\(applied)")
      #expect(try await hearth("index diff '\(file)'").transcript.isEmpty)
      let created = try await hearth(
        "index create gcloud firestore indexes composite create --collection-group=cities "
          + "--field-config=field-path=c,order=ascending "
          + "--field-config=field-path=n,order=ascending --query-scope=collection-group")
      #expect(created.status == 0, "\(created)")
      _ = try await hearth("index create cities c:asc n:asc")
      let redundant = try await hearth("index redundant")
      #expect(redundant.output.contains("\tc:asc n:asc\tdrop\t"), "\(redundant)")

      #expect(try await hearth("ttl set cities until").status == 0)
      let exported = try await hearth("index export --output out.json")
      #expect(exported.status == 0, "\(exported)")
      #expect(try await hearth("index diff out.json").transcript.isEmpty)
      _ = try await ToolScript.shell("echo '{}' > empty.json", in: folder)
      let pruned = try await hearth("index apply empty.json --prune --yes")
      #expect(pruned.output.contains("- time to live by cities.until\n"), "\(pruned)")
      #expect(!pruned.output.contains("field cities.until"))
      #expect(pruned.status == 0 && pruned.output.contains("Applied"), "\(pruned)")
      let empty = try await hearth("index export --json")
      #expect(empty.output == #"{"indexes": [],"fieldOverrides": []}"# + "\n")
      _ = application.kill()
    }
  }
}
