import Foundation
import Hearth
import HearthServer
import ServerTestClient
import Testing

/// Requests that are refused before they have any effect.
@Suite(.timeLimit(.minutes(5))) struct AdmissionTests {
  private static let documents = "/v1/projects/demo-wire/databases/(default)/documents"

  /// Sends a request with a host, and returns the status of its answer.
  private static func status(
    _ method: String, _ path: String, host: String?, origin: String? = nil, _ body: String = "",
    of server: TestServer
  ) async throws -> String {
    var lines = ["\(method) \(path) HTTP/1.1", "Connection: close"]
    if let host { lines.append("Host: \(host)") }
    if let origin { lines.append("Origin: \(origin)") }
    lines += ["Content-Length: \(body.utf8.count)", "", body]
    let connection = try await PlainConnection.connect(to: server.port)
    try await connection.send(lines.joined(separator: "\r\n"))
    let text = await connection.text()
    return String(text.split(separator: " ", maxSplits: 2).dropFirst().first ?? "")
  }

  private static func write(
    host: String?, origin: String? = nil, to server: TestServer
  ) async throws -> String {
    try await status(
      "PATCH", "\(documents)/c/a", host: host, origin: origin, "{\"fields\": {}}", of: server)
  }

  private static func isWritten(in server: TestServer) async throws -> Bool {
    try await status("GET", "\(documents)/c/a", host: "localhost", of: server) == "200"
  }

  @Test(arguments: [
    "evil.example", "evil.example:8080", "localhost.evil.example", "127.0.0.1.nip.io",
    "127.0.0.1x", "localhost:80x", "localhost:", "10.0.0.1", "[fe80::1]", "[::1", "", "firestore",
  ])
  func anotherHostChangesNothing(host: String) async throws {
    try await TestServer.with { server in
      let answer = try await Self.write(host: host, to: server)
      #expect(answer == "403")
      let isWritten = try await Self.isWritten(in: server)
      #expect(!isWritten)
    }
  }

  @Test(arguments: [
    "localhost", "LOCALHOST:8080", "127.0.0.1:1", "127.9.9.9", "[::1]", "[::1]:65535",
  ])
  func thisMachineIsServed(host: String) async throws {
    try await TestServer.with { server in
      let answer = try await Self.write(host: host, to: server)
      #expect(answer == "200")
      let isWritten = try await Self.isWritten(in: server)
      #expect(isWritten)
    }
  }

  @Test(arguments: [
    [], ["Host: localhost", "Host: localhost"], ["Host: localhost", "Host: evil.example"],
    ["Host: localhost", "Origin: http://localhost", "Origin: https://evil.example"],
  ])
  func aRequestHasOneHostAndOneOrigin(headers: [String]) async throws {
    try await TestServer.with { server in
      let connection = try await PlainConnection.connect(to: server.port)
      let head = ["PATCH \(Self.documents)/c/a HTTP/1.1", "Connection: close"]
      try await connection.send(
        (head + headers + ["Content-Length: 2", "", "{}"]).joined(separator: "\r\n"))
      #expect(await connection.text().hasPrefix("HTTP/1.1 400 "))
      let isWritten = try await Self.isWritten(in: server)
      #expect(!isWritten)
    }
  }

  @Test func otherHostsAndOriginsCanBeAllowed() async throws {
    var settings = HearthServer(databases: .inMemory)
    settings.allowedHosts = ["Firestore:8080"]
    settings.allowedOrigins = ["https://App.example/", "null"]
    try await TestServer.with(settings) { server in
      for (host, status) in [("firestore:8080", "200"), ("firestore.evil.example", "403")] {
        let answer = try await Self.write(host: host, to: server)
        #expect(answer == status)
      }
      for (origin, status) in [
        ("https://app.example", "200"), ("null", "200"), ("http://app.example", "403"),
        ("https://app.example:444", "403"), ("https://app.example.evil", "403"),
      ] {
        let answer = try await Self.write(host: "firestore", origin: origin, to: server)
        #expect(answer == status)
      }
    }
  }

  @Test(arguments: [
    (":authority", "evil.example"), ("origin", "https://evil.example"), ("origin", "null"),
  ])
  func callsAreRefusedToo(header: String, value: String) async throws {
    try await TestServer.with { server in
      var headers = [
        (":method", "POST"), (":path", "/google.firestore.v1.Firestore/CreateDocument"),
        (":scheme", "http"), (":authority", "localhost"), ("content-type", "application/grpc"),
        ("te", "trailers"),
      ]
      headers.removeAll { $0.0 == header }
      if header.hasPrefix(":") {
        headers.insert((header, value), at: 0)
      } else {
        headers.append((header, value))
      }
      let stream = try await server.client.openStream()
      try await stream.send(headers: headers)
      try? await stream.send(message: [], isLast: true)
      let answer = await stream.answer()
      #expect(answer.status == 7)
      #expect(answer.message?.contains("is not allowed") == true)
    }
  }

  // MARK: Addresses

  @Test func otherMachinesAreNotServedUnasked() async throws {
    for host in ["0.0.0.0", "::", "example.com", "10.0.0.1"] {
      let error = await #expect(throws: DatabaseError.self) {
        _ = try await HearthServer(databases: .inMemory).start(host: host, port: 0)
      }
      #expect(error?.code == .failedPrecondition)
    }
    for host in ["localhost", "127.0.0.1", "::1", "[::1]", "127.0.0.2"] {
      #expect(HearthServer.isOnlyThisMachine(host))
    }
  }

  @Test func aServerForAllAddressesTakesAddressesAsHosts() async throws {
    var settings = HearthServer(databases: .inMemory)
    settings.allowsOtherMachines = true
    settings.grace = .zero
    let running = try await settings.start(host: "0.0.0.0", port: 0)
    let server = TestServer(
      client: try await ServerClient.connect(to: running.port), running: running)
    for (host, status) in [("10.1.2.3", "200"), ("[fe80::1]:1", "200"), ("evil.example", "403")] {
      let answer = try await Self.write(host: host, to: server)
      #expect(answer == status)
    }
    try await server.client.close()
    await running.stop()
  }

  /// The machine's addresses of IPv6, a line each; empty without IPv6.
  private static let addresses = try? String(contentsOfFile: "/proc/net/if_inet6", encoding: .utf8)

  @Test(
    .enabled(if: addresses?.contains("00000000000000000000000000000001") == true),
    arguments: ["localhost", "127.0.0.1", "::1"])
  func loopbackIsServedAtBothAddresses(host: String) async throws {
    var settings = HearthServer(databases: .inMemory)
    settings.grace = .zero
    let running = try await settings.start(host: host, port: 0)
    for address in ["127.0.0.1", "::1"] {
      let connection = try await PlainConnection.connect(to: running.port, host: address)
      try await connection.send("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
      #expect(await connection.text().hasPrefix("HTTP/1.1 200"))
    }
    await running.stop()
  }

  @Test func aPortInUseIsTold() async throws {
    try await TestServer.with { server in
      let error = await #expect(throws: DatabaseError.self) {
        _ = try await HearthServer(databases: .inMemory).start(port: server.port)
      }
      #expect(error?.code == .unavailable)
      #expect(
        error?.message
          == "The server can't listen at 127.0.0.1:\(server.port): Address already in use.")
    }
  }
}
