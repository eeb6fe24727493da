import Foundation
import Hearth
import HearthLevelDBStore
import HearthOrderedStore
import HearthStorageFormat
import Testing

/// Behaviour that golden scripts can't show: other processes, damage, and figures that differ by
/// the run.
@Suite struct CommandTests {
  private static let cities = """
    {"id": "1", "c": "JP", "n": 9, "t": ["a"]}
    {"id": "2", "c": "JP", "n": 3, "t": ["b"]}
    {"id": "3", "c": "DE", "n": 3, "t": []}

    """

  private static func withCities(_ body: (URL) async throws -> Void) async throws {
    try await withFolder { folder in
      let run = try await ToolRun.run(
        ["import", "cities", "-", "--id-field", "id", "--db", "a.hearth"],
        input: Array(cities.utf8), in: folder)
      #expect(run.status == 0, "\(run.errors)")
      try await body(folder)
    }
  }

  // MARK: JSON

  @Test func everyLineOfJSONParses() async throws {
    try await Self.withCities { folder in
      let commands = [
        "ls", "ls cities", "get cities/1", "get cities/1 --typed", "query cities",
        "query cities --typed", "count cities", "explain cities --where 'n>1'",
        "explain cities --where 'n>1' --analyze", "aggregate cities --count --sum n",
        "bench cities --operations 3", "index create cities c:asc n:asc", "index list", "verify",
        "set cities/4 '{}'", "update cities/4 '{\"a\": 1}'", "index drop cities c:asc n:asc --yes",
        "delete cities/4", "compact",
      ]
      for command in commands {
        let run = try await ToolScript.shell("hearth \(command) --json --db a.hearth", in: folder)
        #expect(run.status == 0, "\(command): \(run.errors)")
        let lines = run.output.split(separator: "\n")
        #expect(!lines.isEmpty, "\(command)")
        for line in lines {
          let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
          #expect(object is [String: Any], "\(command)")
        }
      }
    }
  }

  @Test func theJSONOfARefusalHasTheCommandThatHelps() async throws {
    try await Self.withCities { folder in
      let query = "hearth query cities --group --where 'c == \"JP\" && n > 1' --db a.hearth --json"
      let refused = try await ToolScript.shell(query, in: folder)
      #expect(refused.status == 1)
      #expect(refused.output.isEmpty)
      let error = try #require(
        try JSONSerialization.jsonObject(with: Data(refused.errors.utf8)) as? [String: Any])
      #expect(error["code"] as? String == "FAILED_PRECONDITION")
      let index = try #require(error["missingIndex"] as? [String: Any])
      #expect((index["stanza"] as? [String: Any])?["indexes"] is [Any])
      let command = try #require(index["command"] as? String)
      let created = try await ToolScript.shell(command, in: folder)
      #expect(created.status == 0, "\(created.errors)")
      let answered = try await ToolScript.shell(query, in: folder)
      #expect(answered.output.split(separator: "\n").count == 2, "\(answered.errors)")
    }
  }

  // MARK: bench

  @Test(arguments: [
    (#"c == ?"#, 1...2), (#"t array-contains ? && n == ?"#, 1...1), (#"__name__ == ?"#, 1...1),
    (#"c == "JP" && n == ?"#, 0...1), (#"n >= ?"#, 1...3),
  ])
  func benchDrawsValuesFromDocuments(conditions: String, results: ClosedRange<Int>) async throws {
    try await Self.withCities { folder in
      let run = try await ToolRun.run(
        [
          "bench", "cities", "--where", conditions, "--operations", "50", "--json", "--db",
          "a.hearth",
        ],
        in: folder)
      let object = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
      let cases = try #require((object as? [String: Any])?["cases"] as? [[String: Any]])
      let total = try #require(cases.first?["total"] as? [String: Any])
      #expect(total["runs"] as? Int == 50)
      let mean = try #require((total["perRun"] as? [String: Any])?["results"] as? Double)
      #expect((Double(results.lowerBound)...Double(results.upperBound)).contains(mean))
    }
  }

  @Test func benchPrintsPercentilesWorkAndAHistogram() async throws {
    try await Self.withCities { folder in
      let run = try await ToolRun.run(
        ["bench", "cities", "--where", "n > ?", "--operations", "20", "--db", "a.hearth"],
        in: folder)
      // The first three lines tell where and when.
      let lines = Array(run.output.split(separator: "\n").dropFirst(3))
      try #require(lines.count >= 4)
      #expect(lines[0].contains(/^20 runs in .*, .*\/s$/))
      #expect(lines[1].contains(/^p50 .* p90 .* p99 .* max [0-9]/))
      #expect(lines[2].contains(/^per query: [0-9.]+ results, .* index entries, .* documents/))
      #expect(lines[3...].allSatisfy { $0.contains("…") })
    }
  }

  // MARK: Other processes

  @Test func aDatabaseInUseIsSaid() async throws {
    try await Self.withCities { folder in
      let path = folder.appending(path: "a.hearth").path
      var options = Database.Options()
      options.servesAdministration = false
      let database = try await Database.open(at: path, options: options)
      let run = try await ToolRun.run(["count", "cities", "--db", path])
      #expect(run.status == 69)
      #expect(run.errors.contains("has the database at \(path) open"))
      let salvage = try await ToolRun.run(["salvage", path, path + "-salvaged"])
      #expect(salvage.status == 69)
      #expect(salvage.errors.contains("has the database at \(path) open"))
      async let waiting = ToolRun.run(["count", "cities", "--wait", "600", "--db", path])
      try await database.close()
      let counted = try await waiting
      #expect(counted.output == "3\n", "\(counted.errors)")
    }
  }

  // MARK: Damage

  /// Deletes an index entry and writes it to a place where it doesn't belong.
  private static func moveFirstEntry(inDatabaseAt path: String) throws {
    let store = try LevelDBStore.open(folder: path).store
    let cursor = try store.makeSnapshot().makeCursor()
    let prefix = try #require(StorageKey.entryPrefixes.first)
    try cursor.seek(to: prefix)
    let key = cursor.key.withUnsafeBytes { [UInt8]($0) }
    let value = cursor.value.withUnsafeBytes { [UInt8]($0) }
    #expect(key.starts(with: prefix))
    var batch = StoreBatch()
    batch.delete(key)
    batch.put(key + [7, 0], value)
    try store.write(batch)
    try store.close()
  }

  @Test func verifyTellsAMissingAndAStrayEntry() async throws {
    try await Self.withCities { folder in
      let path = folder.appending(path: "a.hearth").path
      try Self.moveFirstEntry(inDatabaseAt: path)
      // A process that another test starts may hold the lock until it becomes another program.
      let run = try await ToolRun.run(["verify", "--wait", "600", "--db", path])
      #expect(run.status == 2)
      #expect(run.output.contains("missing entry: cities/"))
      #expect(run.output.contains("stray entry: "))
      let json = try await ToolRun.run(["verify", "--json", "--wait", "600", "--db", path])
      #expect(json.status == 2)
      #expect(json.output.contains(#""isClean":false"#))
    }
  }
}
