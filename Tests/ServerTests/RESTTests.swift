import Hearth
import HearthFirestoreJSON
import HearthServer
import ServerTestClient
import Testing

/// REST beside the recorded exchanges.
@Suite(.timeLimit(.minutes(5))) struct RESTTests {
  private static let documents = "/v1/projects/demo-wire/databases/(default)/documents"

  /// Sends a request, and returns the status and the body of its answer.
  private static func send(
    _ method: String, _ path: String, _ body: String = "", headers: [String] = [],
    to server: TestServer
  ) async throws -> (status: String, body: String) {
    let connection = try await PlainConnection.connect(to: server.port)
    let head = ["\(method) \(path) HTTP/1.1", "Host: localhost", "Connection: close"]
    let length = "Content-Length: \(body.utf8.count)"
    try await connection.send((head + headers + [length, "", body]).joined(separator: "\r\n"))
    let text = await connection.text()
    let parts = text.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
    let status = text.split(separator: " ", maxSplits: 2).dropFirst().first ?? ""
    return (String(status), parts.count > 1 ? String(parts[1]) : "")
  }

  private static let commit =
    "{\"writes\": [{\"update\": {\"name\": "
    + "\"projects/demo-wire/databases/(default)/documents/c/a\"}}]}"

  @Test func anotherOriginsPageChangesNothing() async throws {
    try await TestServer.with { server in
      for origin in [
        "https://evil.example", "null", "http://localhost.evil.example", "http://127.0.0.1.nip.io",
        "http://localhost:80x", "localhost", "file://localhost",
      ] {
        let answer = try await Self.send(
          "POST", "\(Self.documents):commit", Self.commit,
          headers: ["Origin: \(origin)", "Content-Type: text/plain"], to: server)
        #expect(answer.status == "403")
      }
      let missing = try await Self.send("GET", "\(Self.documents)/c/a", to: server)
      #expect(missing.status == "404")
    }
  }

  @Test(arguments: ["http://localhost", "https://127.0.0.1:5000", "http://[::1]:3000"])
  func thisMachinesPagesAreServed(origin: String) async throws {
    try await TestServer.with { server in
      let answer = try await Self.send(
        "POST", "\(Self.documents):commit", Self.commit, headers: ["Origin: \(origin)"],
        to: server)
      #expect(answer.status == "200")
    }
  }

  @Test func unknownParametersAndAddressesAreRefused() async throws {
    try await TestServer.with { server in
      let unknown = try await Self.send("GET", "\(Self.documents)/c/a?foo=1", to: server)
      #expect(unknown.status == "400")
      #expect(
        unknown.body.contains(
          #"Unknown name \"foo\": Cannot bind query parameter. Field 'foo' could not be found"#))
      for (method, path) in [
        ("PUT", "\(Self.documents)/c/a"), ("GET", "\(Self.documents)"),
        ("POST", "\(Self.documents)/c/a:commit"), ("GET", "/v2/projects/p"),
        ("GET", "\(Self.documents)/c%2Fa"),
      ] {
        let answer = try await Self.send(method, path, to: server)
        #expect(answer.status == "404")
      }
      for method in ["DELETE", "PATCH"] {
        let answer = try await Self.send(method, "\(Self.documents)/c", to: server)
        #expect(answer.status == "400")
        #expect(answer.body.contains("lacks"))
      }
    }
  }

  @Test func theAddressDecidesOnTheNameAndNothingElse() async throws {
    try await TestServer.with { server in
      let other = "projects/demo-other/databases/(default)"
      let committed = try await Self.send(
        "POST", "\(Self.documents):commit",
        Self.commit.dropLast() + ", \"database\": \"\(other)\"}", to: server)
      #expect(committed.status == "200")
      let read = try await Self.send("GET", "\(Self.documents)/c/a", to: server)
      #expect(read.status == "200")
      for (method, query) in [
        ("GET", "name=\(other)/documents/c/a"), ("PATCH", "document.name=\(other)/documents/c/b"),
        ("PATCH", "document.fields.value.stringValue=x"), ("GET", "mask.fieldPaths.a=b"),
        ("GET", "name.a=b"), ("GET", "=a"), ("GET", "mask..fieldPaths=b"),
        ("PATCH", "document" + String(repeating: ".fields.value.mapValue", count: 3000) + "=x"),
      ] {
        let answer = try await Self.send(
          method, "\(Self.documents)/c/a?\(query)", to: server)
        #expect(answer.status == "400", "\(method) \(query.prefix(60))")
      }
      let collection = try await Self.send(
        "POST", "\(Self.documents)/c?collectionId=z", to: server)
      #expect(collection.status == "400")
    }
  }

  @Test(arguments: ["%zz", "%+1", "%f", "%", "%ff", "%C3%28"])
  func brokenEscapesNameNothing(text: String) async throws {
    try await TestServer.with { server in
      for path in ["/c/a\(text)", "/c/a?mask.fieldPaths=\(text)"] {
        let answer = try await Self.send("GET", Self.documents + path, to: server)
        #expect(answer.status == "404")
        #expect(!answer.body.contains("NOT_FOUND"))
      }
    }
  }

  @Test func idsMayHoldColonsAndOtherSigns() async throws {
    try await TestServer.with { server in
      let path = "\(Self.documents)/c/a%3Ab%20%C3%A9:run"
      let written = try await Self.send("PATCH", path, "{\"fields\": {}}", to: server)
      #expect(written.status == "200")
      let read = try await Self.send("GET", path, to: server)
      #expect(read.body.contains("/documents/c/a:b é:run\""))
    }
  }

  @Test func clearingKeepsIndexes() async throws {
    var settings = HearthServer(databases: .inMemory)
    settings.databases.indexes = try IndexFile(
      text: """
        {"indexes": [{"collectionGroup": "c", "queryScope": "COLLECTION", "fields": [
          {"fieldPath": "a", "order": "ASCENDING"}, {"fieldPath": "b", "order": "ASCENDING"}]}]}
        """)
    let query = """
      {"structuredQuery": {"from": [{"collectionId": "c"}],
        "orderBy": [{"field": {"fieldPath": "a"}}, {"field": {"fieldPath": "b"}}]}}
      """
    try await TestServer.with(settings) { server in
      for path in ["c/a", "c/b", "c/a/d/e", "f/g"] {
        let body = "{\"fields\": {\"a\": {\"nullValue\": null}, \"b\": {\"nullValue\": null}}}"
        let answer = try await Self.send("PATCH", "\(Self.documents)/\(path)", body, to: server)
        #expect(answer.status == "200")
      }
      let emulator = Self.documents.replacing("/v1/", with: "/emulator/v1/")
      let one = try await Self.send("DELETE", "\(emulator)/c/a", to: server)
      #expect(one.status == "200" && one.body == "{}")
      for (path, status) in [("c/a", "404"), ("c/a/d/e", "404"), ("c/b", "200"), ("f/g", "200")] {
        let answer = try await Self.send("GET", "\(Self.documents)/\(path)", to: server)
        #expect(answer.status == status)
      }
      let all = try await Self.send("DELETE", emulator, to: server)
      #expect(all.status == "200")
      for path in ["c/b", "f/g"] {
        let answer = try await Self.send("GET", "\(Self.documents)/\(path)", to: server)
        #expect(answer.status == "404")
      }
      let answer = try await Self.send("POST", "\(Self.documents):runQuery", query, to: server)
      #expect(answer.status == "200")
    }
  }

  @Test func theServerSaysThatItIsUp() async throws {
    try await TestServer.with { server in
      let answer = try await Self.send("GET", "/", to: server)
      #expect(answer.status == "200" && answer.body == "Ok\n")
    }
  }
}
