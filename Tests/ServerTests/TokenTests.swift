import Hearth
import HearthServer
import ServerTestClient
import Testing

/// A server that asks its callers for an access token.
@Suite(.timeLimit(.minutes(5))) struct TokenTests {
  private static let token = "correct-horse-battery-staple"
  private static let documents = "/v1/projects/demo-wire/databases/(default)/documents"

  private static func withServer(_ body: (TestServer) async throws -> Void) async throws {
    try await TestServer.with(server(asking: [token, "another-token-0123456789"]), body)
  }

  private static func server(asking tokens: Set<String>) -> HearthServer {
    var server = HearthServer(databases: .inMemory)
    server.tokens = tokens
    return server
  }

  /// Sends a request, and returns its answer.
  private static func answer(
    _ method: String, _ path: String, _ headers: [String], _ body: String = "",
    of server: TestServer
  ) async throws -> String {
    let connection = try await PlainConnection.connect(to: server.port)
    let head = ["\(method) \(path) HTTP/1.1", "Connection: close", "Host: localhost"] + headers
    let lines = head + ["Content-Length: \(body.utf8.count)", "", body]
    try await connection.send(lines.joined(separator: "\r\n"))
    return await connection.text()
  }

  @Test(arguments: [
    [], ["Authorization: Bearer owner"], ["Authorization: Bearer"], ["Authorization: Bearer "],
    ["Authorization: \(token)"], ["Authorization: Basic \(token)"],
    ["Authorization: Bearer \(token)x"], ["Authorization: Bearer \(token.dropLast())"],
    ["Authorization: Bearer \(token)\(token)"],
    ["Authorization: Bearer Correct-horse-battery-staple"],
    ["Authorization: Bearer \(token)", "Authorization: Bearer \(token)"],
  ])
  func anotherTokenChangesNothing(headers: [String]) async throws {
    try await Self.withServer { server in
      let answer = try await Self.answer(
        "PATCH", "\(Self.documents)/c/a", headers, "{\"fields\": {}}", of: server)
      #expect(answer.hasPrefix("HTTP/1.1 401 "))
      #expect(answer.contains("www-authenticate: Bearer"))
      #expect(answer.contains("\"UNAUTHENTICATED\""))
      let read = try await Self.answer(
        "GET", "\(Self.documents)/c/a", ["Authorization: bearer \(Self.token)"], of: server)
      #expect(read.hasPrefix("HTTP/1.1 404 "))
    }
  }

  /// A body that isn't whole yet would take the place of those of others.
  @Test func aRequestWithoutATokenIsRefusedBeforeItsBody() async throws {
    try await Self.withServer { server in
      for line in ["", "Expect: 100-continue\r\n"] {
        let connection = try await PlainConnection.connect(to: server.port)
        try await connection.send(
          "PATCH \(Self.documents)/c/a HTTP/1.1\r\nHost: localhost\r\n\(line)"
            + "Content-Length: 1000\r\n\r\n")
        #expect(await connection.text().hasPrefix("HTTP/1.1 401 "))
      }
    }
  }

  @Test(arguments: [token, "another-token-0123456789"])
  func eachTokenIsARight(token: String) async throws {
    try await Self.withServer { server in
      let answer = try await Self.answer(
        "PATCH", "\(Self.documents)/c/a", ["Authorization: Bearer \(token)"], "{\"fields\": {}}",
        of: server)
      #expect(answer.hasPrefix("HTTP/1.1 200 "))
    }
  }

  @Test(arguments: [
    ("GET", "/"), ("GET", "/metrics"), ("GET", "/nothing"),
    ("DELETE", "/emulator/v1/projects/demo-wire/databases/(default)/documents"),
    ("GET", "/v1/projects/demo-wire/databases"),
  ])
  func everyAddressNeedsOne(method: String, path: String) async throws {
    try await Self.withServer { server in
      let answer = try await Self.answer(
        method, path, ["Authorization: Bearer owner"], of: server)
      #expect(answer.hasPrefix("HTTP/1.1 401 "))
    }
  }

  @Test(arguments: [
    "/google.firestore.v1.Firestore/Commit", "/google.firestore.v1.Firestore/Listen",
    "/google.firestore.admin.v1.FirestoreAdmin/ListIndexes", "/grpc.health.v1.Health/Check",
    "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo", "/no.Service/Method",
  ])
  func everyCallNeedsOne(path: String) async throws {
    try await Self.withServer { server in
      for value in [nil, "Bearer owner", "Bearer \(Self.token)x"] {
        let status = try await Self.status(of: path, authorization: value, on: server)
        #expect(status == 16)
      }
    }
  }

  @Test func aCallWithATokenIsAnswered() async throws {
    try await Self.withServer { server in
      let status = try await Self.status(
        of: "/grpc.health.v1.Health/Check", authorization: "Bearer \(Self.token)", on: server)
      #expect(status == 0)
    }
  }

  private static func status(
    of path: String, authorization: String?, on server: TestServer
  ) async throws -> Int? {
    var headers = [
      (":method", "POST"), (":path", path), (":scheme", "http"), (":authority", "localhost"),
      ("content-type", "application/grpc"), ("te", "trailers"),
    ]
    if let authorization { headers.append(("authorization", authorization)) }
    let stream = try await server.client.openStream()
    try await stream.send(headers: headers)
    try? await stream.send(message: [], isLast: true)
    return await stream.answer().status
  }

  @Test func aPreflightNeedsNone() async throws {
    try await Self.withServer { server in
      let answer = try await Self.answer(
        "OPTIONS", "\(Self.documents)/c/a",
        ["Origin: http://localhost:3000", "Access-Control-Request-Method: PATCH"], of: server)
      #expect(answer.hasPrefix("HTTP/1.1 200 "))
      let refusal = try await Self.answer(
        "GET", "\(Self.documents)/c/a", ["Origin: http://localhost:3000"], of: server)
      #expect(refusal.contains("access-control-allow-origin: http://localhost:3000"))
    }
  }

  @Test(arguments: [
    "", "short", "with a blank in it", "ümlaute-are-not-visible", "tab\tin-the-middle-of",
  ])
  func aTokenIsLongAndVisible(token: String) async throws {
    let server = Self.server(asking: [token])
    let error = await #expect(throws: DatabaseError.self) {
      _ = try await server.start(port: 0)
    }
    #expect(error?.code == .invalidArgument)
  }

  @Test func tokensAllowOtherMachines() async throws {
    let running = try await Self.server(asking: [Self.token]).start(host: "0.0.0.0", port: 0)
    await running.stop()
  }
}
