import Foundation
import HearthFirestoreJSON
import HearthServer
import ServerTestClient
import TestSupport
import Testing

/// The recorded cases of rules (`Tests/Fixtures/rules`), asked of a server over REST.
@Suite(.timeLimit(.minutes(20))) struct RulesReplayTests {
  /// Cases whose verdict is another one here, as in the tests of the language: maps of which only
  /// one field is known.
  private static let others: Set<String> = [
    "queries-bounds-aggregations-062", "queries-bounds-aggregations-063",
  ]

  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fixtures/rules")

  @Test func everyCaseIsAnsweredAsRecorded() async throws {
    let created = try TemporaryFolder()
    var server = HearthServer(databases: .inMemory)
    // The emulator needs no indexes.
    server.databases.missingIndexes = .created(file: created.path(of: "indexes.json"))
    try await RulesClient.with(server) { client, _ in
      var replay = RulesReplay(client, Self.folder)
      var count = 0
      let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path())
      for file in files.sorted() where file.hasSuffix(".ndjson") {
        let bytes = try Data(contentsOf: Self.folder.appending(path: file))
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
          let row = try JSONValue(parsing: Array(line))
          let id = row["id"]?.string ?? ""
          guard row["doubt"] == nil, !Self.others.contains(id) else { continue }
          count += 1
          if let difference = try await replay.difference(of: row) {
            Issue.record("\(id): \(difference)")
          }
        }
      }
      #expect(count == 2_721 - 61 - Self.others.count)
    }
  }
}

/// A replay of recorded cases, each after the rules and the documents that it needs.
private struct RulesReplay {
  private let client: RulesClient
  private let folder: URL
  private var rules: String?
  /// The documents that are there; `nil` if a case may have changed them.
  private var seed: String?
  private let seeds: JSONValue

  init(_ client: RulesClient, _ folder: URL) {
    (self.client, self.folder) = (client, folder)
    let bytes = (try? Data(contentsOf: folder.appending(path: "seeds.json"))).map(Array.init)
    seeds = bytes.flatMap { try? JSONValue(parsing: $0) } ?? .null
  }

  /// Asks what a case asks.
  ///
  /// - Returns: the difference of the answer; `nil` for none.
  mutating func difference(of row: JSONValue) async throws -> String? {
    let text = try rulesText(of: row)
    let expect = row["expect"] ?? .null
    if row["compile"] != nil {
      rules = nil
      let status = try await client.upload(text).status
      let expected = expect["ok"] == .boolean(true) ? 200 : 400
      return status == expected ? nil : "upload answered \(status)"
    }
    if rules != text {
      guard try await client.upload(text).status == 200 else { return "the rules are refused" }
      rules = text
    }
    try await load(row["seed"]?.string ?? "none")
    let answer = try await answer(to: row)
    switch expect["allow"] {
    case .boolean(let isAllowed)?:
      guard (answer.status != 403) == isAllowed else {
        return "\(answer.status) \(answer.message), not \(isAllowed)"
      }
    default:
      return answer.status < 400 ? "answered \(answer.status)" : nil
    }
    return results(of: answer, row, expect)
  }

  private func results(of answer: JSONAnswer, _ row: JSONValue, _ expect: JSONValue) -> String? {
    if answer.status == 403 {
      guard case .object = answer.json, answer["error"]?["status"]?.string == "PERMISSION_DENIED"
      else { return "another form: \(answer.json.line)" }
    }
    if let docs = expect["docs"], case .array(let items) = answer.json {
      let names = items.compactMap { $0["document"]?["name"]?.string }
        .compactMap { $0.split(separator: "/documents/").last.map(String.init) }
      guard names == docs.elements.compactMap(\.string) else { return "found \(names)" }
    }
    if let result = expect["result"],
      let found = answer.json.elements.first?["result"]?["aggregateFields"], found != result
    {
      return "computed \(found.line)"
    }
    return nil
  }

  private mutating func answer(to row: JSONValue) async throws -> JSONAnswer {
    let request = row["request"] ?? .object([])
    let method = request["method"]?.string ?? "GET"
    let path = filled(request["path"]?.string ?? "/v1/{DB}/documents/t/x")
    var body = request["body"].map { filled($0.line) } ?? ""
    var authorization: String?
    switch row["auth"] {
    case .string("owner")?: authorization = "Bearer owner"
    case .string(let header)?: authorization = header
    case .object(let claims)?: authorization = RulesClient.bearer(.object(claims))
    default: break
    }
    var transaction: String?
    if request["transaction"] == .boolean(true) {
      let begun = try await client.send(
        "POST", "\(RulesClient.documents):beginTransaction", "{}", as: authorization)
      transaction = begun["transaction"]?.string
      body = String(body.dropLast()) + ", \"transaction\": \"\(transaction ?? "")\"}"
    }
    let answer = try await client.send(method, path, body, as: authorization)
    if let transaction {
      _ = try await client.send(
        "POST", "\(RulesClient.documents):rollback", "{\"transaction\": \"\(transaction)\"}",
        as: authorization)
    }
    let reads = [":runQuery", ":batchGet", ":runAggregationQuery"]
    if method != "GET", transaction != nil || !reads.contains(where: path.hasSuffix) { seed = nil }
    return answer
  }

  private mutating func load(_ name: String) async throws {
    guard seed != name else { return }
    _ = try await client.send(
      "DELETE", "/emulator\(RulesClient.documents)", as: "Bearer owner")
    let writes = (seeds[name]?.members ?? []).map { path, fields in
      "{\"update\": {\"name\": \"\(RulesClient.database)/documents/\(path)\", \"fields\": "
        + "\(filled(fields.line))}}"
    }
    if !writes.isEmpty {
      let answer = try await client.send(
        "POST", "\(RulesClient.documents):commit",
        "{\"writes\": [\(writes.joined(separator: ","))]}", as: "Bearer owner")
      #expect(answer.status == 200, "\(answer.message)")
    }
    seed = name
  }

  private func filled(_ text: String) -> String {
    text.replacing("{DB}", with: RulesClient.database)
      .replacing("{P}", with: RulesClient.project)
  }

  private func rulesText(of row: JSONValue) throws -> String {
    func part(_ name: String, _ standard: String) -> String { row[name]?.string ?? standard }
    guard let text = row["rules"]?.string else {
      return """
        rules_version = '\(part("version", "2"))';
        service cloud.firestore { match /databases/{db}/documents {
        \(part("pre", ""))
        match \(part("match", "/t/x")) { allow \(part("method", "get")): if
        \(part("expr", ""))
        ; } } }
        """
    }
    guard text.hasPrefix("@") else { return text }
    let file = folder.appending(path: "rules/\(text.dropFirst()).rules")
    return String(decoding: try Data(contentsOf: file), as: UTF8.self)
  }
}
