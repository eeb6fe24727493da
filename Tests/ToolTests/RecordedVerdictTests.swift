import Foundation
import Testing

/// `hearth check` compared with production's answers (`Tests/Fixtures/conformance`).
@Suite struct RecordedVerdictTests {
  private static let fixtures = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Fixtures/conformance")

  /// Programs whose rows depend on indexes alone.
  private static let programs = [
    "index-selection", "composite-filters", "collection-group", "order-by", "field-filters",
    "unary-filters", "filter-validation", "query-limits", "cursors", "aggregation",
  ]

  private struct Row {
    let name: String
    let request: String
    let expectation: [String: Any]
  }

  private static func rows() throws -> [Row] {
    let lines = try Data(contentsOf: fixtures.appending(path: "dev.ndjson"))
      .split(separator: UInt8(ascii: "\n"))
    return try lines.compactMap { line in
      let row = try object(Data(line))
      guard let program = row["program"] as? String, let step = row["step"] as? String,
        programs.contains(where: program.hasPrefix), row["indexes"] as? String == "query-index",
        let kind = row["kind"] as? String, let request = row["request"],
        let expectation = row["expect"] as? [String: Any], row["explainOptions"] == nil
      else { return nil }
      let names = [
        "runQuery": "structuredQuery", "runAggregationQuery": "structuredAggregationQuery",
      ]
      guard let name = names[kind] else { return nil }
      let parent = row["parent"] as? String ?? ""
      let root = "projects/demo-project/databases/(default)/documents"
      let body = try JSONSerialization.data(withJSONObject: [
        name: request, "parent": parent.isEmpty ? root : "\(root)/\(parent)",
      ])
      let text = String(decoding: body, as: UTF8.self)
      return Row(
        name: "\(program) \(step)", request: text.replacing("{project}", with: "demo-project"),
        expectation: expectation)
    }
  }

  private static func object(_ data: Data) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  @Test func everyVerdictIsProductions() async throws {
    let rows = try Self.rows()
    #expect(rows.count > 180)
    let input = rows.map { $0.request + "\n" }.joined()
    let run = try await ToolRun.run(
      ["check", "--indexes", Self.fixtures.appending(path: "indexes.json").path, "-"],
      input: Array(input.utf8))
    #expect(run.status == 1)
    let lines = run.output.split(separator: "\n")
    try #require(lines.count == rows.count)
    var suggestedCount = 0
    for (row, line) in zip(rows, lines) {
      let verdict = try Self.object(Data(line.utf8))
      let status = row.expectation["status"] as? String
      let code = verdict["served"] as? Bool == true ? "OK" : verdict["code"] as? String
      #expect(code == status, "\(row.name): \(line)")
      // Foundation's JSON loses the order of members, by which a doubled oneof is named.
      if let message = row.expectation["message"] as? String, !message.contains("(oneof)") {
        // A placeholder stands for a part that a service makes up itself.
        let constant = message.prefix { $0 != "{" }
        #expect(
          (verdict["message"] as? String ?? "").hasPrefix(constant), "\(row.name): \(line)")
      }
      guard let suggested = row.expectation["suggestedIndex"] as? [String: Any] else { continue }
      suggestedCount += 1
      let index = verdict["suggestedIndex"] as? [String: Any]
      let definition = index?["definition"] as? [String: Any]
      #expect(
        Self.text(of: definition ?? [:]) == Self.text(of: suggested), "\(row.name): \(line)")
    }
    #expect(suggestedCount > 20)
  }

  /// Returns the index in one line, without an `__name__` that may be omitted.
  private static func text(of index: [String: Any]) -> String {
    var fields = (index["fields"] as? [[String: Any]] ?? []).map { field in
      "\(field["fieldPath"] ?? "") \(field["order"] ?? field["arrayConfig"] ?? "")"
    }
    let directed = fields.dropLast().last { !$0.hasSuffix("CONTAINS") }
    let implied = directed?.split(separator: " ").last ?? "ASCENDING"
    if fields.count > 1, fields.last == "__name__ \(implied)" { fields.removeLast() }
    return "\(index["collectionGroup"] ?? "") \(index["queryScope"] ?? "") \(fields)"
  }
}
