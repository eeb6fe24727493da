import HearthFirestoreJSON
import HearthServer
import ServerTestClient
import Testing

/// The coverage of rules at the emulators' address.
@Suite(.timeLimit(.minutes(5))) struct ServedCoverageTests {
  private static let address = "/emulator/v1/projects/\(RulesClient.project):ruleCoverage"

  private static var recording: HearthServer {
    var server = HearthServer(databases: .inMemory)
    server.recordsCoverage = true
    return server
  }

  @Test func nothingIsCountedUnasked() async throws {
    try await RulesClient.with { client, _ in
      let answer = try await client.send("GET", Self.address)
      #expect(answer.status == 400 && answer.message.contains("--record-coverage"))
    }
  }

  @Test func theReportTellsTheOutcomes() async throws {
    try await RulesClient.with(Self.recording) { client, _ in
      #expect(try await client.send("GET", Self.address).json == .object([]))
      try await client.allow("match /c/{id} { allow get: if request.auth != null && id == 'a'; }")
      let before = try await client.send("GET", Self.address)
      #expect(before["rules"]?["files"]?.elements.count == 1 && before["report"] == nil)
      #expect(try await client.get("c/a") == 403)
      #expect(try await client.get("c/a", as: RulesClient.bearer("ann")) == 404)
      #expect(try await client.get("c/a", as: "Bearer owner") == 404)
      let report = try await client.send("GET", Self.address)
      #expect(report.status == 200 && report["rules"] == before["rules"])
      let nodes = report["report"]?.elements ?? []
      #expect(nodes.count == 1)
      #expect(
        nodes[0]["sourcePosition"]?.line
          == #"{"line":3,"column":31,"currentOffset":111,"endOffset":143}"#)
      #expect(
        nodes[0]["values"]?.line
          == #"[{"value":{"boolValue":true},"count":1},{"value":{"boolValue":false},"count":1}]"#)
      let parts = nodes[0]["children"]?.elements ?? []
      #expect(parts.count == 2)
      #expect(
        parts[1]["values"]?.line
          == #"[{"value":{"boolValue":true},"count":1},{"value":{},"count":1}]"#)
      let other = "/emulator/v1/projects/\(RulesClient.project)/databases/second:ruleCoverage"
      #expect(try await client.send("GET", other).json == report.json)
    }
  }

  @Test func everyFormOfValueIsTold() async throws {
    try await RulesClient.with(Self.recording) { client, _ in
      try await client.allow(
        """
        match /c/{id} {
          allow get: if [request.time, 1.5, null, 7, /a/b, resource, [1], id, 1 / 0].size() == 0;
        }
        """)
      _ = try await client.get("c/a")
      let report = try await client.send("GET", Self.address).json.line
      for part in [
        #""timestampValue":"2"#, #"{"mapValue":{}}"#, #"{"pathValue":{"segments":[{"simple":"a"}"#,
        #"{"nullValue":null}"#, #"{"stringValue":"a"}"#,
        #""causeMessage":"Divide by zero error."}}"#,
      ] { #expect(report.contains(part), "\(part) in \(report)") }
    }
  }

  @Test func anUploadBeginsTheReportAnew() async throws {
    try await RulesClient.with(Self.recording) { client, _ in
      try await client.allow("match /c/{id} { allow get: if id == 'a'; }")
      _ = try await client.get("c/a")
      #expect(try await client.send("GET", Self.address)["report"] != nil)
      try await client.allow("match /c/{id} { allow get: if id == 'b'; }")
      #expect(try await client.send("GET", Self.address)["report"] == nil)
    }
  }

  @Test func thePageShowsTheText() async throws {
    try await RulesClient.with(Self.recording) { client, _ in
      let page = "\(Self.address).html"
      #expect(try await client.send("GET", page).status == 404)
      try await client.allow("match /c/{id} { allow get: if id == '<b>' || 1 < 0; }")
      _ = try await client.get("c/a")
      let answer = try await PlainConnection.exchange("GET", page, "", port: client.port)
      #expect(answer.status == 200)
      #expect(answer.body.contains("'&lt;b&gt;'") && !answer.body.contains("<b>'"))
      #expect(answer.body.contains("<span class=\"f\" title=\"1 × false\">"))
      for method in ["PUT", "DELETE", "POST"] {
        #expect(try await client.send(method, page).status == 404)
      }
    }
  }
}
