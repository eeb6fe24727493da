import Foundation
import ServerTestClient
import TestSupport
import Testing

/// `hearth serve`, as a process of its own.
@Suite(.timeLimit(.minutes(10))) struct ServeTests {
  private static let documents = "/v1/projects/demo/databases/(default)/documents"
  private static let name = "projects/demo/databases/(default)/documents"

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The line that a server prints when it has begun.
  private struct Notice: Decodable {
    let port: Int
    let folder: String?
    let database: String?
    let authPort: Int?
    let environment: [String: String]
  }

  /// A message of a server on standard error.
  private struct Event: Decodable {
    let event: String
    let time: String
    let query: String?
  }

  /// An element of a query's answer.
  private struct Result: Decodable {
    struct Document: Decodable {
      let name: String
    }
    let document: Document?
  }

  /// A server that runs.
  private struct Served {
    nonisolated(unsafe) let run: RunningWriter
    let notice: Notice
    var port: Int { notice.port }

    /// Asks the server to end, waits for that, and returns its exit status.
    func end() async throws -> Int {
      run.send(SIGTERM)
      return try await ended()
    }

    /// Waits for the server's end, and returns its exit status.
    func ended() async throws -> Int {
      try await ServeTests.apart {
        _ = run.finish()
        return run.exitStatus
      }
    }

    /// Sends a request, and returns the status and the body of its answer.
    func send(
      _ method: String, _ path: String, _ body: String = ""
    ) async throws -> (status: String, body: String) {
      let connection = try await PlainConnection.connect(to: port)
      let head = ["\(method) \(path) HTTP/1.1", "Host: localhost", "Connection: close"]
      let length = "Content-Length: \(body.utf8.count)"
      try await connection.send((head + [length, "", body]).joined(separator: "\r\n"))
      let parts = await connection.text().split(separator: "\r\n\r\n", maxSplits: 1)
      let status = parts.first?.split(separator: " ", maxSplits: 2).dropFirst().first ?? ""
      return (String(status), parts.count > 1 ? String(parts[1]) : "")
    }

    /// Writes documents of the collection `c` in one commit, and returns the status.
    func commit(_ ids: [String]) async throws -> String {
      let writes = ids.map { "{\"update\": {\"name\": \"\(ServeTests.name)/c/\($0)\"}}" }
      return try await send(
        "POST", "\(ServeTests.documents):commit",
        "{\"writes\": [\(writes.joined(separator: ","))]}"
      ).status
    }

    /// Runs a query that needs a composite index, and returns its status.
    func query(_ value: Int) async throws -> String {
      try await send(
        "POST", "\(ServeTests.documents):runQuery",
        """
        {"structuredQuery": {"from": [{"collectionId": "c"}], "orderBy": [{"field": \
        {"fieldPath": "b"}}], "where": {"fieldFilter": {"field": {"fieldPath": "a"}, "op": \
        "EQUAL", "value": {"integerValue": "\(value)"}}}}}
        """
      ).status
    }

    /// Returns the names of the documents of the collection `c`.
    func found() async throws -> [String] {
      let query = "{\"structuredQuery\": {\"from\": [{\"collectionId\": \"c\"}]}}"
      let answer = try await send("POST", "\(ServeTests.documents):runQuery", query)
      let results = try JSONDecoder().decode([Result].self, from: Data(answer.body.utf8))
      return results.compactMap(\.document?.name)
    }
  }

  private func serve(_ arguments: [String], limits: String? = nil) async throws -> Served {
    let errors = folder.path(of: "errors")
    return try await Self.apart {
      let run = try RunningWriter(
        ["serve", "--port", "0", "--json"] + arguments, program: "hearth", errors: errors,
        limits: limits)
      let line = try #require(run.nextLine())
      return Served(
        run: run, notice: try JSONDecoder().decode(Notice.self, from: Data(line.utf8)))
    }
  }

  /// Runs `body`, which waits for a process, on a thread of its own: Swift's few threads may be
  /// needed to notice the end of the process.
  private static func apart<Outcome: Sendable>(
    _ body: @escaping @Sendable () throws -> Outcome
  ) async throws -> Outcome {
    try await withCheckedThrowingContinuation { continuation in
      Thread { continuation.resume(with: Swift.Result(catching: body)) }.start()
    }
  }

  private var data: String { folder.path(of: "data") }
  private var errors: String {
    (try? String(contentsOfFile: folder.path(of: "errors"), encoding: .utf8)) ?? ""
  }

  /// The messages of a server that writes JSON.
  private func events() throws -> [Event] {
    try errors.split(separator: "\n").map {
      try JSONDecoder().decode(Event.self, from: Data($0.utf8))
    }
  }

  @Test func commitsAreThereAfterTheEnd() async throws {
    let first = try await serve(["--db", data])
    let variable = first.notice.environment["FIRESTORE_EMULATOR_HOST"]
    #expect(variable == "127.0.0.1:\(first.port)")
    #expect(first.notice.environment["FIREBASE_AUTH_EMULATOR_HOST"] == variable)
    #expect(first.notice.folder == data)
    #expect(try await first.commit(["a", "b"]) == "200")
    #expect(try await first.found() == ["\(Self.name)/c/a", "\(Self.name)/c/b"])
    #expect(try await first.end() == 0)
    let second = try await serve(["--db", data])
    #expect(try await second.found() == ["\(Self.name)/c/a", "\(Self.name)/c/b"])
    _ = try await second.end()
    // The database was closed: the tool opens it by itself.
    let count = try await ToolRun.run(["count", "c", "--db", "\(data)/demo/(default)"])
    #expect(count.output == "2\n" && count.errors.isEmpty)
  }

  @Test func acknowledgedCommitsOutlastAKill() async throws {
    var expected: [String] = []
    for round in 0..<3 {
      let served = try await serve(["--db", data])
      for number in 0..<10 {
        let id = "\(round)-\(number)"
        #expect(try await served.commit([id]) == "200")
        expected.append("\(Self.name)/c/\(id)")
      }
      try await Self.apart { _ = served.run.kill() }
    }
    let served = try await serve(["--db", data])
    #expect(try await served.found() == expected)
    _ = try await served.end()
  }

  @Test func theToolReachesADatabaseThatIsServed() async throws {
    let served = try await serve(["--db", data])
    _ = try await served.commit(["a"])
    let count = try await ToolRun.run(["count", "c", "--db", "\(data)/demo/(default)"])
    #expect(count.output == "1\n" && count.errors.isEmpty)
    _ = try await served.end()
  }

  @Test func aRefusalIsToldOnceWithTheCommandThatHelps() async throws {
    let served = try await serve(["--db", data])
    _ = try await served.commit(["a"])
    for value in 0..<3 { #expect(try await served.query(value) == "400") }
    let lines = errors.split(separator: "\n")
    #expect(lines.count == 2, "\(errors)")
    let first = "projects/demo/databases/(default): c where a == ? order by b. The index it needs:"
    #expect(lines.first == "Refused in \(first)")
    let command = try #require(lines.last?.trimmingPrefix("  "))
    let made = try await ToolScript.shell(String(command), in: URL(filePath: folder.path))
    #expect(made.status == 0, "\(made.errors)")
    #expect(try await served.query(1) == "200")
    _ = try await served.end()
  }

  @Test func valuesOfRefusedQueriesAreToldOnDemand() async throws {
    let served = try await serve(["--db", data, "--log-format", "json", "--log-values"])
    _ = try await served.commit(["a"])
    for value in 3..<5 { #expect(try await served.query(value) == "400") }
    #expect(try events().compactMap(\.query) == ["c where a == 3 order by b"])
    _ = try await served.end()
  }

  @Test func accountsOutliveTheServer() async throws {
    let user = "{\"email\": \"ada@example.com\", \"password\": \"secret1\"}"
    let path = "/identitytoolkit.googleapis.com/v1/accounts"
    let first = try await serve(["--db", data, "--project", "demo-auth", "--auth-port", "0"])
    let address = "127.0.0.1:\(first.notice.authPort ?? 0)"
    #expect(first.notice.environment["FIREBASE_AUTH_EMULATOR_HOST"] == address)
    #expect(try await first.send("POST", "\(path):signUp?key=k", user).status == "200")
    #expect(try await first.end() == 0)
    let second = try await serve(["--db", data, "--project", "demo-auth"])
    #expect(try await second.send("POST", "\(path):signUp?key=k", user).status == "400")
    #expect(try await second.send("POST", "\(path):signInWithPassword?key=k", user).status == "200")
    let folder = try FileManager.default.attributesOfItem(atPath: "\(data)/.accounts")
    #expect(folder[.posixPermissions] as? Int == 0o700)
    // No database of a project holds them.
    let list = try await second.send(
      "GET", "/v1/projects/demo-auth/databases/(default)/documents/projects")
    #expect(list.body == "{}\n" || list.body == "{}")
    _ = try await second.end()
  }

  @Test func aClientThatSpeaksTLSIsToldOfOnce() async throws {
    let served = try await serve(["--in-memory"])
    for _ in 0..<2 {
      let connection = try await PlainConnection.connect(to: served.port)
      try await connection.send(bytes: [0x16, 3, 1, 0, 5])
      #expect(await connection.text().isEmpty)
    }
    #expect(errors.split(separator: "\n").count == 1, "\(errors)")
    #expect(errors.contains("FIRESTORE_EMULATOR_HOST"))
    _ = try await served.end()
  }

  @Test func aTokenOfTheFileIsNeeded() async throws {
    let tokens = folder.path(of: "tokens")
    try Data("first-token-0123456789\n\nsecond-token-0123456789\n".utf8)
      .write(to: URL(filePath: tokens))
    let served = try await serve(["--in-memory", "--token-file", tokens])
    #expect(try await served.commit(["a"]) == "401")
    for token in ["first-token-0123456789", "second-token-0123456789"] {
      let connection = try await PlainConnection.connect(to: served.port)
      try await connection.send(
        "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
          + "Authorization: Bearer \(token)\r\n\r\n")
      #expect(await connection.text().hasSuffix("Ok\n"))
    }
    _ = try await served.end()
  }

  @Test func theFilesOfACertificateMakeTheServerSpeakTLS() async throws {
    let certificate = try TestCertificate()
    defer { certificate.remove() }
    let served = try await serve([
      "--in-memory", "--tls-certificate", certificate.chain, "--tls-key", certificate.key,
    ])
    #expect(served.notice.environment.isEmpty)
    let client = try await ServerClient.connect(to: served.port, trusting: certificate.chain)
    #expect(try await client.call("/grpc.health.v1.Health/Check", []).status == 0)
    try await client.close()
    _ = try await served.end()
  }

  @Test(arguments: [
    (["--host", "0.0.0.0"], 64, "--token-file"),
    (["--tls-key", "key.pem"], 64, "--tls-certificate"),
    (["--tls-certificate", "no.pem", "--tls-key", "no.pem"], 65, "no.pem can't be read"),
    (["--token-file", "no.tokens"], 66, "no.tokens"),
  ])
  func optionsThatCantHoldAreRefused(
    options: [String], status: Int, reason: String
  ) async throws {
    let run = try await ToolRun.run(["serve", "--in-memory", "--port", "0"] + options)
    #expect(run.status == status && run.errors.contains(reason), "\(run.errors)")
  }

  /// The tool and the server agree on the identity of a database that the tool makes.
  @Test func aDatabaseThatTheToolMadeIsServed() async throws {
    let names = ["demo/(default)", "demo/other", "a b/(default)"]
    for project in ["demo", "a%20b"] {
      try FileManager.default.createDirectory(
        atPath: "\(data)/\(project)", withIntermediateDirectories: true)
    }
    for folder in ["demo/(default)", "demo/other", "a%20b/(default)"] {
      let made = try await ToolRun.run(["set", "c/a", "{}", "--db", "\(data)/\(folder)"])
      #expect(made.status == 0, "\(made.errors)")
    }
    let served = try await serve(["--db", data, "--databases", "known"])
    for name in names {
      let path = name.replacing(" ", with: "%20").replacing("/", with: "/databases/")
      let found = try await served.send("GET", "/v1/projects/\(path)/documents/c/a")
      #expect(found.status == "200", "\(found.body)")
    }
    _ = try await served.end()
  }

  /// Folders of other kinds say nothing, nor do those of a database that exists.
  @Test func otherDatabasesKeepTheirIdentity() async throws {
    let made = try await ToolRun.run(["set", "c/a", "{}", "--db", data])
    #expect(made.status == 0)
    let moved = folder.path(of: "p/(default)")
    try FileManager.default.createDirectory(
      atPath: folder.path(of: "p"), withIntermediateDirectories: true)
    try FileManager.default.moveItem(atPath: data, toPath: moved)
    #expect(try await ToolRun.run(["set", "c/b", "{}", "--db", moved]).status == 0)
    let served = try await serve(["--db", moved])
    #expect(served.notice.database == "projects/demo-project/databases/(default)")
    _ = try await served.end()
  }

  @Test func aSecondSignalEndsTheServerAtOnce() async throws {
    let served = try await serve(["--in-memory"])
    // The answer to the first request tells that the second one has begun. It never ends, so that a
    // stop takes its whole time.
    let connection = try await PlainConnection.connect(to: served.port)
    let host = "HTTP/1.1\r\nHost: localhost\r\n"
    let half = "POST \(Self.documents):commit \(host)Content-Length: 5\r\n\r\n"
    try await connection.send("GET / \(host)\r\n\(half)")
    _ = await connection.text(upTo: "Ok\n")
    // Two signals of one kind could count as one. Either of the two can be taken first.
    served.run.send(SIGTERM)
    served.run.send(SIGINT)
    let status = try await served.ended()
    #expect(status == SIGTERM || status == SIGINT)
  }

  /// Shells start what they have in the background with SIGINT ignored.
  @Test func aServerInTheBackgroundEndsByInterrupt() async throws {
    let commands = """
      mkfifo notice
      hearth serve --in-memory --port 0 > notice &
      exec 3< notice
      read -r line <&3
      kill -INT $!
      wait $!
      """
    let run = try await ToolScript.shell(commands, in: URL(filePath: folder.path))
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test func theConsoleIsOpenedInABrowser() async throws {
    let commands = """
      hearth set c/a '{}' --db a.hearth
      printf '#!/bin/sh\necho "$1" > part && mv part opened\n' > browser && chmod +x browser
      mkfifo notice
      BROWSER=./browser hearth console --db a.hearth > notice &
      exec 3< notice
      while [ ! -e opened ]; do sleep 0.05; done
      cat opened <&3 && kill $!
      wait $!
      """
    let run = try await ToolScript.shell(commands, in: URL(filePath: folder.path))
    #expect(run.status == 0 && run.output.hasSuffix("/console/\n"), "\(run)")
    #expect(run.output.hasPrefix("http://127.0.0.1:"), "\(run)")
  }

  @Test func messagesCanBeJSON() async throws {
    let served = try await serve(["--db", data, "--log-format", "json"])
    _ = try await served.commit(["a"])
    _ = try await served.end()
    #expect(try events().map(\.event) == ["opened", "stopping", "closed"])
  }

  @Test func aFolderThatIsADatabaseIsServedAlone() async throws {
    let made = try await ToolRun.run(["set", "c/a", "{}", "--db", data])
    #expect(made.status == 0)
    let served = try await serve(["--db", data])
    #expect(served.notice.database == "projects/demo-project/databases/(default)")
    let found = try await served.send(
      "GET", "/v1/projects/demo-project/databases/(default)/documents/c/a")
    #expect(found.status == "200")
    #expect(try await served.commit(["b"]) == "404")
    _ = try await served.end()
  }

  @Test func theIndexFileHolds() async throws {
    let file = folder.path(of: "firestore.indexes.json")
    try Data(
      """
      {"indexes": [{"collectionGroup": "c", "queryScope": "COLLECTION", "fields": [
        {"fieldPath": "a", "order": "ASCENDING"}, {"fieldPath": "b", "order": "ASCENDING"}]}]}
      """.utf8
    ).write(to: URL(filePath: file))
    let served = try await serve(["--in-memory", "--indexes", file])
    let query = """
      {"structuredQuery": {"from": [{"collectionId": "c"}],
        "orderBy": [{"field": {"fieldPath": "a"}}, {"field": {"fieldPath": "b"}}]}}
      """
    let answer = try await served.send("POST", "\(Self.documents):runQuery", query)
    #expect(answer.status == "200")
    _ = try await served.end()
  }

  @Test func missingIndexesAreCreatedAndWritten() async throws {
    let file = folder.path(of: "firestore.indexes.json")
    let served = try await serve(
      ["--in-memory", "--missing-indexes", "create", "--indexes", file])
    #expect(try await served.commit(["a"]) == "200")
    let query = """
      {"structuredQuery": {"from": [{"collectionId": "c"}],
        "orderBy": [{"field": {"fieldPath": "a"}}, {"field": {"fieldPath": "b"}}]}}
      """
    let answer = try await served.send("POST", "\(Self.documents):runQuery", query)
    #expect(answer.status == "200", "\(answer.body)")
    _ = try await served.end()
    let written = try String(contentsOfFile: file, encoding: .utf8)
    #expect(written.contains("\"fieldPath\": \"b\""))
    let place = "the index (a ASC, b ASC) of c in projects/demo/databases/(default)"
    #expect(errors.contains("Building \(place): "), "\(errors)")
    #expect(errors.contains("Created \(place)\n"), "\(errors)")
    #expect(!errors.contains("Refused"))
  }

  @Test(arguments: [
    (["--in-memory", "--db", "x"], "exclude each other"),
    (
      ["--in-memory", "--missing-indexes", "create", "--host", "0.0.0.0", "--insecure-bind"],
      "loopback"
    ),
    (["--in-memory", "--databases", "known"], "needs --db"),
    (["--in-memory", "--host", "0.0.0.0"], "--insecure-bind"),
    (["--in-memory", "--port", "65536"], "0 to 65535"),
    (["--in-memory", "--lock-timeout", "-1"], "--lock-timeout takes"),
  ])
  func commandLinesThatCannotBeAreRefused(arguments: [String], words: String) async throws {
    let run = try await ToolRun.run(["serve"] + arguments)
    #expect(run.status == 64)
    #expect(run.errors.contains(words), "\(run.errors)")
  }

  @Test func strangersAreWarnedOf() async throws {
    let served = try await serve(["--in-memory", "--host", "0.0.0.0", "--insecure-bind"])
    _ = try await served.end()
    #expect(errors.contains("everyone who reaches"), "\(errors)")
  }

  // MARK: Open files

  @Test func theLimitOfOpenFilesIsRaised() async throws {
    let served = try await serve(["--in-memory"], limits: "-S -n 120")
    let limits = try String(
      contentsOfFile: "/proc/\(served.run.processIdentifier)/limits", encoding: .utf8)
    let line = limits.split(separator: "\n").first { $0.hasPrefix("Max open files") }
    let fields = try #require(line).split(separator: " ").suffix(3)
    #expect(fields.first != "120")
    #expect(fields.first == fields.dropFirst().first)
    #expect(try await served.end() == 0)
  }

  @Test func connectionsLeaveFilesForTheDatabases() async throws {
    // A quarter of the files is for clients.
    let served = try await serve(["--db", data], limits: "-n 100")
    var connections: [PlainConnection] = []
    for _ in 0..<25 {
      let connection = try await PlainConnection.connect(to: served.port)
      try await connection.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
      #expect(await connection.text(upTo: "Ok\n").hasPrefix("HTTP/1.1 200"))
      connections.append(connection)
    }
    let refused = try await PlainConnection.connect(to: served.port)
    // The port may have closed it already.
    try? await refused.send("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    #expect(await refused.text() == "")
    for connection in connections { try await connection.close() }
    #expect(try await served.end() == 0)
  }
}
