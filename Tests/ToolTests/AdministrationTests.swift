import HearthAdminSocket
import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import Foundation
import Hearth
import HearthLevelDBStore
import HearthOrderedStore
import TestSupport
import Testing
import hearth

/// The tool on a database that another process has open.
@Suite struct AdministrationTests {
  /// Runs `body` with an application that has `count` documents and continues to write.
  static func withApplication(
    _ count: Int = 500, byteCount: Int = 0, acceptsWrites: Bool = false, isSilent: Bool = false,
    _ body: (RunningWriter, String, URL) async throws -> Void
  ) async throws {
    try await withFolder { folder in
      let path = folder.appending(path: "app.hearth").path
      let application = try RunningWriter(
        [path, "\(count)", "\(byteCount)"]
          + (acceptsWrites ? ["writes"] : isSilent ? ["silent"] : []),
        program: "AdminHost")
      #expect(application.nextLine() == "ready")
      try await body(application, path, folder)
    }
  }

  static func hearth(_ command: String, _ path: String, in folder: URL) async throws
    -> ToolRun
  {
    try await ToolScript.shell("hearth \(command) --db \(path)", in: folder)
  }

  @Test func everythingGoesThroughTheSocket() async throws {
    try await Self.withApplication { _, path, folder in
      func hearth(_ command: String) async throws -> ToolRun {
        try await Self.hearth(command, path, in: folder)
      }
      let refused = try await hearth("query cities --where 'c == 3 && n > 10'")
      #expect(refused.status == 1)
      #expect(refused.errors.contains("hearth index create cities c:asc n:asc"))

      let created = try await hearth("index create cities c:asc n:asc --no-wait")
      #expect(created.output == "Building the index (c ASC, n ASC) of cities.\n")
      // The application builds it; the watching tool waits.
      let watched = try await hearth("index watch")
      #expect(watched.status == 0, "\(watched)")
      let listed = try await hearth("index list")
      #expect(listed.output.contains("c:asc n:asc"), "\(listed)")
      #expect(listed.output.contains("READY"))
      let queried = try await hearth("query cities --where 'c == 3 && n > 480'")
      #expect(queried.output.split(separator: "\n").count == 2, "\(queried)")
      let explained = try await hearth("explain cities --where 'c == 3 && n > 480' --analyze")
      #expect(explained.output.contains("composite (c ASC, n ASC, __name__ ASC)"))
      #expect(explained.output.contains("2 results, 2 index entries read"))
      #expect(try await hearth("count cities").output == "500\n")
      #expect(try await hearth("aggregate cities --sum n --json").output.contains("124750"))
      let last = try await hearth("query cities --order-by n --limit-to-last 2 --fields n")
      #expect(
        last.output == """
          {"id":"city498","fields":{"n":498}}
          {"id":"city499","fields":{"n":499}}

          """)
      let exported = try await hearth("export cities --typed")
      #expect(exported.output.split(separator: "\n").count == 500)
      let verified = try await hearth("verify")
      #expect(verified.status == 0)
      #expect(verified.output.contains("all agree"))
      let dropped = try await hearth("index drop cities c:asc n:asc --yes")
      #expect(dropped.output == "Dropped the index (c ASC, n ASC) of cities.\n")
      #expect(try await hearth("index list").output.isEmpty)
    }
  }

  @Test func aRequestFromAFileIsAnsweredAsTheRESTInterfaceDoes() async throws {
    try await Self.withApplication { _, path, folder in
      let request = """
        {"structuredQuery": {"from": [{"collectionId": "cities"}], "offset": 1, "limit": 1, \
        "orderBy": [{"field": {"fieldPath": "n"}}]}, "explainOptions": {"analyze": true}}
        """
      try Data(request.utf8).write(to: folder.appending(path: "request.json"))
      let run = try await Self.hearth("query --structured-query request.json", path, in: folder)
      let answer = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
      let messages = try #require(answer as? [[String: Any]], "\(run)")
      #expect(messages.count == 3)
      #expect(messages[0]["skippedResults"] as? Int == 1)
      let document = try #require(messages[1]["document"] as? [String: Any])
      #expect((document["name"] as? String)?.hasSuffix("/cities/city1") == true)
      #expect(messages[2]["explainMetrics"] is [String: Any])
    }
  }

  /// A call that fails ends the tool with the same status as if the tool had made it by itself.
  @Test func aFailureHasTheSameStatusThroughTheSocket() async throws {
    let full = StoreError(.full, "There is no room.", cause: "No space left on device")
    let failures: [(DatabaseError, status: Int32)] = [
      (DatabaseError(full), 74), (DatabaseError(.resourceExhausted, "It is one too many."), 1),
      (DatabaseError(StoreError(.poisoned, "A write failed.")), 74),
      (DatabaseError(StoreError(.corrupt, "It is damaged.")), 74),
      (DatabaseError(StoreError(.permission, "It is another's.")), 77),
      (DatabaseError(.failedPrecondition, "It isn't so.", details: FailedBuild()), 1),
      (DatabaseError(.invalidArgument, "It can't be."), 65),
      (DatabaseError(.aborted, "Another was first."), 75), (DatabaseError(.internal, "?"), 70),
    ]
    try await withFolder { folder in
      for (failure, status) in failures {
        let server = try AdminServer(folder: folder.path)
        try server.start(.default) { _, _ in throw failure }
        let run = try await Self.hearth("count cities", folder.path, in: folder)
        server.stop()
        #expect(run.status == status, "\(failure): \(run)")
        #expect(ExitStatus(failure).rawValue == status, "\(failure)")
        #expect(run.errors.contains(failure.message), "\(run)")
      }
    }
  }

  // MARK: Clocks

  /// The report comes at the open, and with the figures.
  @Test func commitTimesAheadOfTheClockAreSaid() async throws {
    struct FarAhead: EngineClock {
      func now() -> Timestamp { (try? Timestamp(microseconds: 4_000_000_000_000_000)) ?? .minimum }
    }
    try await withFolder { folder in
      let path = folder.appending(path: "a.hearth").path
      let engine = try Engine(LevelDBStore.open(folder: path).store, clock: FarAhead())
      _ = try engine.commit([.set(ResourcePath("c/1"), [:])])
      try engine.close()
      let run = try await Self.hearth("stats --json", path, in: folder)
      #expect(run.status == 0)
      #expect(run.errors.contains(" seconds ahead of the clock"), "\(run)")
      #expect(run.output.contains(#""commitTimeLeadSeconds":"#), "\(run)")
    }
  }

  // MARK: The end of the application

  @Test func anApplicationThatDiesHalfwayIsSaid() async throws {
    try await Self.withApplication(3_000, byteCount: 10_000) { application, path, folder in
      // The export has more bytes than fit between the two processes and the reader.
      let tool = try RunningWriter(["export", "cities", "--db", path], program: "hearth")
      #expect(tool.nextLine()?.hasPrefix("{") == true)
      _ = application.kill()
      let lines = tool.finish()
      #expect(lines.count < 2_999)
      #expect(tool.exitStatus == 75)

      // The socket that it left hinders no other process.
      let run = try await Self.hearth("count cities", path, in: folder)
      #expect(run.output == "3000\n", "\(run)")
      let names = try FileManager.default.contentsOfDirectory(atPath: path)
      #expect(!names.contains("admin.sock"))
    }
  }

  @Test func aCallIsToldThatTheApplicationDied() async throws {
    try await Self.withApplication(3_000, byteCount: 10_000) { application, path, _ in
      let client = try #require(try AdminClient.connect(folder: path))
      #expect(client.hello.command == "AdminHost")
      #expect(client.hello.process == application.processIdentifier)
      let query = try RunnableQuery(Database.inMemory().collection("cities").query)
      var count = 0
      let error = #expect(throws: DatabaseError.self) {
        _ = try client.run(QueryCall(query)) { _ in
          if count == 0 { _ = application.kill() }
          count += 1
        }
      }
      #expect(error?.code == .unavailable)
      #expect(
        error?.message
          == "The application that has the database open, process "
          + "\(application.processIdentifier) (AdminHost), ended, or closed the database, "
          + "before it answered.")
      #expect(count < 3_000)
    }
  }

  @Test func aKilledBuildGoesOnWhenTheIndexIsCreatedAgain() async throws {
    try await Self.withApplication(5_000) { application, path, folder in
      let client = try #require(try AdminClient.connect(folder: path))
      let definition = IndexDefinition(
        "cities",
        [IndexColumn(try FieldPath("c"), .ascending), IndexColumn(try FieldPath("n"), .ascending)])
      // So slow that it can't end before the application does.
      let build = IndexBuildCall(
        [definition], pace: BuildPace(documentsPerSecond: 1), isAwaited: true)
      let error = #expect(throws: DatabaseError.self) {
        _ = try client.run(build) { _ in _ = application.kill() }
      }
      #expect(error?.details is LostApplication)
      let listed = try await Self.hearth("index list", path, in: folder)
      #expect(listed.output.contains("CREATING"), "\(listed)")
      let created = try await Self.hearth("index create cities c:asc n:asc", path, in: folder)
      #expect(created.status == 0, "\(created)")
      let verified = try await Self.hearth("verify", path, in: folder)
      #expect(verified.status == 0, "\(verified)")
    }
  }

  @Test func writesBesideAnApplicationAreRefused() async throws {
    try await Self.withApplication { _, path, folder in
      let line = #"{"writes": [{"delete": "\#(name("cities/city1"))"}]}"#
      try Data(line.utf8).write(to: folder.appending(path: "writes.ndjson"))
      // Without the refusal it would continue to watch.
      let run = try await ToolScript.shell(
        "timeout 600 hearth watch cities --db \(path) < writes.ndjson", in: folder)
      #expect(run.status == 69, "\(run)")
      #expect(run.errors.contains("the writes on standard input can't be applied"), "\(run)")
      #expect(try await Self.hearth("count cities", path, in: folder).output == "500\n")
    }
    func name(_ path: String) -> String {
      "projects/demo-project/databases/(default)/documents/\(path)"
    }
  }

  @Test func aBuildThatFailedUnwatchedIsReported() async throws {
    try await withFolder { folder in
      let path = folder.appending(path: "app.hearth").path
      let database = try await Database.open(at: path)
      // Six fields of 1,500 bytes are more than an entry may have.
      let long = Value.string(String(repeating: "x", count: 1500))
      let names = (0..<6).map { "f\($0)" }
      let wide = try database.document("cities/wide")
      try await wide.setData(MapValue(names.map { ($0, long) }))
      let fields = names.map { "\($0):asc" }.joined(separator: " ")

      let begun = try await Self.hearth("index create cities \(fields) --no-wait", path, in: folder)
      #expect(begun.status == 0, "\(begun)")
      for build in try await database.indexes.builds() { for await _ in build.updates {} }
      let watched = try await Self.hearth("index watch", path, in: folder)
      #expect(watched.status == 1, "\(watched)")
      #expect(watched.output.hasPrefix("Failed: the index (f0 ASC"), "\(watched)")
      #expect(watched.output.contains("cities/wide: Index entry is too large."), "\(watched)")
      // A command that waits for it has the same status.
      let columns = names.map { #"{"fieldPath": "\#($0)", "order": "ASCENDING"}"# }
      let index = #"{"collectionGroup": "cities", "queryScope": "COLLECTION", "fields": ["#
      let file = #"{"indexes": ["# + index + columns.joined(separator: ",") + "]}]}"
      try Data(file.utf8).write(to: folder.appending(path: "indexes.json"))
      for command in ["create cities \(fields)", "apply indexes.json --wait"] {
        let refused = try await Self.hearth("index \(command)", path, in: folder)
        #expect(refused.status == 1, "\(refused)")
        #expect(refused.errors.contains("cities/wide: Index entry is too large."), "\(refused)")
      }
      try await wide.delete()
      #expect(try await Self.hearth("index create cities \(fields)", path, in: folder).status == 0)
      let quiet = try await Self.hearth("index watch", path, in: folder)
      #expect(quiet.output == "No index is being built.\n" && quiet.status == 0, "\(quiet)")
      try await database.close()
    }
  }

  // MARK: Several at once

  @Test func toolsAtOnceAllGetTheirAnswers() async throws {
    try await withFolder { folder in
      let path = folder.appending(path: "a.hearth").path
      let database = try await Database.open(at: path)
      try await database.document("cities/1").setData(["n": 1])
      try await database.close()
      // Each opens the database itself, or asks the one that was faster.
      try await withThrowingTaskGroup(of: ToolRun.self) { group in
        for _ in 0..<6 {
          group.addTask { try await Self.hearth("count cities --wait 600", path, in: folder) }
        }
        for try await run in group { #expect(run.output == "1\n", "\(run)") }
      }
    }
  }

  @Test func aLongPathIsReachedThroughTheRuntimeFolder() async throws {
    try await withFolder { folder in
      let deep = folder.appending(path: String(repeating: "deeper-down/", count: 8))
      try FileManager.default.createDirectory(at: deep, withIntermediateDirectories: true)
      let path = deep.appending(path: "app.hearth").path
      let runtime = folder.appending(path: "runtime").path
      try FileManager.default.createDirectory(atPath: runtime, withIntermediateDirectories: true)
      let environment = ["XDG_RUNTIME_DIR": runtime]
      let application = try RunningWriter(
        [path, "3"], program: "AdminHost", environment: environment)
      #expect(application.nextLine() == "ready")
      let run = try await ToolRun.run(["count", "cities", "--db", path], in: folder)
      #expect(run.output == "3\n", "\(run)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: runtime + "/hearth").count == 1)
      _ = application.kill()
    }
  }
}
