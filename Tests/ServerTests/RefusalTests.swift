import HearthFirestoreJSON
import HearthServer
import ServerTestClient
import Testing

/// Requests of REST that are refused before they become calls: the form of the answers.
@Suite(.timeLimit(.minutes(5))) struct RefusalTests {
  private static let documents = "/v1/projects/demo-wire/databases/(default)/documents"
  private static let origin = "http://localhost:3000"

  private struct Answer {
    let status: Int
    let head: String
    let error: JSONValue

    /// Whether the page of the origin may see it.
    var isForPage: Bool {
      head.contains("access-control-allow-origin: \(origin)\r\n") && head.contains("vary: Origin")
    }
  }

  private static func answer(
    _ lines: [String], _ body: [UInt8] = [], of server: TestServer
  ) async throws -> Answer {
    let connection = try await PlainConnection.connect(to: server.port)
    let head = ["PATCH \(documents)/c/a HTTP/1.1", "Connection: close"]
    try await connection.send((head + lines + ["", ""]).joined(separator: "\r\n"))
    // A refusal may come before all of it is sent.
    try? await connection.send(bytes: body)
    let parts = await connection.text().split(separator: "\r\n\r\n", maxSplits: 1)
    let answer = try #require(parts.first)
    #expect(answer.lowercased().contains("content-type: application/json"))
    let json = try JSONValue(parsing: Array(parts.dropFirst().joined().utf8))
    return Answer(
      status: Int(answer.split(separator: " ", maxSplits: 2)[1]) ?? 0, head: "\(answer)\r\n",
      error: try #require(json["error"]))
  }

  private static func check(
    _ answer: Answer, _ status: Int, _ code: String, _ message: String, isForPage: Bool
  ) {
    #expect(answer.status == status)
    #expect(answer.error["code"] == .integer(Int64(status)))
    #expect(answer.error["status"] == .string(code))
    #expect(answer.error["message"]?.string?.contains(message) == true)
    #expect(answer.isForPage == isForPage)
  }

  @Test func hostsAndOriginsThatAreNotAllowed() async throws {
    try await TestServer.with { server in
      let host = try await Self.answer(
        ["Host: evil.example", "Origin: \(Self.origin)", "Content-Length: 0"], of: server)
      Self.check(host, 403, "PERMISSION_DENIED", "evil.example is not allowed", isForPage: true)
      let page = try await Self.answer(
        ["Host: localhost", "Origin: https://evil.example", "Content-Length: 0"], of: server)
      Self.check(page, 403, "PERMISSION_DENIED", "evil.example is not allowed", isForPage: false)
      #expect(!page.head.contains("access-control"))
      let two = try await Self.answer(
        ["Host: localhost", "Host: a", "Origin: \(Self.origin)", "Content-Length: 0"], of: server)
      Self.check(two, 400, "INVALID_ARGUMENT", "one host", isForPage: true)
      let pages = try await Self.answer(
        ["Host: localhost", "Origin: \(Self.origin)", "Origin: a", "Content-Length: 0"], of: server)
      Self.check(pages, 400, "INVALID_ARGUMENT", "one origin", isForPage: false)
    }
  }

  @Test func aBodyThatIsTooLarge() async throws {
    try await TestServer.with { server in
      let body = [UInt8](repeating: 0x20, count: (16 << 20) + 1)
      let answer = try await Self.answer(
        ["Host: localhost", "Origin: \(Self.origin)", "Content-Length: \(body.count)"], body,
        of: server)
      Self.check(answer, 413, "INVALID_ARGUMENT", "larger than 16777216", isForPage: true)
    }
  }

  @Test func refusalsAreCounted() async throws {
    var settings = HearthServer(databases: .inMemory)
    settings.tokens = ["correct-horse-battery-staple"]
    try await TestServer.with(settings) { server in
      for (host, status) in [("localhost", 401), ("localhost", 401), ("evil.example", 403)] {
        let answer = try await Self.answer(["Host: \(host)", "Content-Length: 0"], of: server)
        #expect(answer.status == status)
      }
      let call = "/google.firestore.v1.Firestore/GetDocument"
      #expect(try await server.client.call(call, []).status == 16)
      #expect(try await server.client.call("/no.Service/Method", []).status == 16)
      let connection = try await PlainConnection.connect(to: server.port)
      try await connection.send(
        "GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
          + "Authorization: Bearer correct-horse-battery-staple\r\n\r\n")
      let lines = await connection.text().split(whereSeparator: \.isNewline)
      let series = "hearth_server_call_duration_seconds_count"
      for line in [
        "\(series){code=\"UNAUTHENTICATED\",method=\"UpdateDocument\",transport=\"rest\"} 2",
        "\(series){code=\"PERMISSION_DENIED\",method=\"UpdateDocument\",transport=\"rest\"} 1",
        "\(series){code=\"UNAUTHENTICATED\",method=\"GetDocument\",transport=\"grpc\"} 1",
      ] {
        #expect(lines.contains(Substring(line)), "\(line)")
      }
      #expect(!lines.contains { $0.contains("method=\"Method\"") })
    }
  }
}
