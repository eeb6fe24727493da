import Foundation
import ServerTestClient
import TestSupport
import Testing

/// A server as a process of its own, under clients that break the rules. It goes on serving, gives
/// its memory back, and what is stored stays as it is.
///
/// `HEARTH_FUZZ` is the number of cases; `Tools/server-fuzz` makes more than the tests do.
@Suite(.timeLimit(.minutes(240))) struct ServerFuzzTests {
  private static let caseCount = GeneratedCases.count(of: "HEARTH_FUZZ", unlessTold: 800)
  private static let clientCount = 8
  /// Bytes by which a server may grow in its later cases: caches that are not full, and what the
  /// allocator keeps.
  private static let growth = 48 << 20
  /// Seconds in which a server gives back what the allocator has kept of its connections.
  private static let pauseCount = 120

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func theServerStandsWhatClientsSend() async throws {
    let seed = GeneratedCases.seed(count: Self.caseCount, of: "HEARTH_FUZZ")
    try await Turns.run {
      let server = try await ServerProcess.start(
        ["--db", data, "--databases", "known"], in: folder)
      for database in ["demo-kept", "demo-fuzz"] { try await make(database, at: server) }
      let stored = try await Stored(at: server)
      var memory: [Int] = []
      var figures = Figures()
      // A few cases first, which fill what a server keeps anyway.
      for (round, share) in [20, 2, 2].enumerated() {
        let count = Self.caseCount / share
        let clients = try clients(of: server, seed: seed &+ UInt64(round))
        figures.add(try await run(clients, at: server, stored, caseCount: count))
        try await crowd(server, stored, connectionCount: min(5_000, count / 10))
        memory.append(try server.residentByteCount())
      }
      let now = try await Stored(at: server)
      #expect(now == stored)
      let bound = try #require(memory.dropLast().map { $0 + $0 / 5 + Self.growth }.min())
      memory.append(try await memoryGivenBack(by: server, downTo: bound))
      print(figures, "memory \(memory.map { $0 >> 20 }) MB")
      #expect(try #require(memory.last) <= bound)
      let faults = figures.internalErrors.filter { error in
        !Self.faultsOfClients.contains { error.hasPrefix($0) }
      }
      #expect(faults == [])
      try await server.kill()
      for database in ["demo-kept", "demo-fuzz"] {
        let status = try await ServerProcess.verify("\(data)/\(database)/(default)")
        #expect(status == 0)
      }
    }
  }

  /// Waits until a server that was left has given memory back, and returns what it has then.
  private func memoryGivenBack(by server: ServerProcess, downTo bound: Int) async throws -> Int {
    for _ in 0..<Self.pauseCount where try server.residentByteCount() > bound {
      try await Task.sleep(for: .seconds(1))
    }
    return try server.residentByteCount()
  }

  private var data: String { folder.path(of: "data") }

  /// The beginnings of gRPC's texts for calls that are none, whose code is that of internal errors.
  private static let faultsOfClients = [
    "Malformed grpc-timeout", "Invalid flag of a message", "Half-closed without a request",
    "Encountered end-of-stream mid-frame", "A message is compressed without grpc-encoding",
    "Too many requests", "The message can't be decompressed",
  ]

  // MARK: Running

  private func clients(of server: ServerProcess, seed: UInt64) throws -> [FuzzClient] {
    let calls = try FuzzCall.all()
    return (0..<Self.clientCount).map {
      FuzzClient(port: server.port, calls: calls, seed: seed &* 1_000 &+ UInt64($0))
    }
  }

  /// Runs clients at once, and asks the server in between.
  private func run(
    _ clients: [FuzzClient], at server: ServerProcess, _ stored: Stored, caseCount: Int
  ) async throws -> Figures {
    let share = caseCount / Self.clientCount
    return try await withThrowingTaskGroup(of: FuzzClient.self) { group in
      for client in clients {
        group.addTask {
          var client = client
          for part in stride(from: 0, to: share, by: 100) {
            await client.run(caseCount: min(100, share - part))
            let first = try await Stored.first(at: server)
            #expect(first == stored.first)
          }
          return client
        }
      }
      return try await group.reduce(into: Figures()) { $0.add($1, caseCount: share) }
    }
  }

  /// Opens many connections at once: half of them of HTTP/2, the others silent or half-way in a
  /// request of HTTP/1.1.
  private func crowd(
    _ server: ServerProcess, _ stored: Stored, connectionCount: Int
  ) async throws {
    // The preface, and empty settings.
    let http2 = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\u{4}\0\0\0\0\0"
    var connections: [PlainConnection] = []
    for number in 0..<connectionCount {
      let connection = try await PlainConnection.connect(to: server.port)
      switch number % 4 {
      case 0: break
      case 1: try await connection.send("GET / HTTP/1.1\r\nHost: lo")
      default: try await connection.send(http2)
      }
      connections.append(connection)
    }
    let first = try await Stored.first(at: server)
    #expect(first == stored.first)
    for connection in connections { try? await connection.close() }
  }

  /// Makes a database with some documents.
  private func make(_ project: String, at server: ServerProcess) async throws {
    let database = "/v1/projects/\(project)/databases"
    let answer = try await server.send("POST", "\(database)?databaseId=(default)", "{}")
    try #require(answer.hasPrefix("HTTP/1.1 200 "), "\(answer)")
    let name = "projects/\(project)/databases/(default)/documents/c"
    let writes = (0..<30).map { number in
      """
      {"update": {"name": "\(name)/\(number)", "fields": {"n": {"integerValue": "\(number)"},
        "t": {"stringValue": "\(String(repeating: "t", count: 20_000))"}}}}
      """
    }
    let commit = try await server.send(
      "POST", "\(database)/(default)/documents:commit",
      "{\"writes\": [\(writes.joined(separator: ","))]}")
    try #require(commit.hasPrefix("HTTP/1.1 200 "), "\(commit.prefix(300))")
  }
}

/// The documents that have to stay as they are.
private struct Stored: Equatable, Sendable {
  let first: String
  let all: String

  init(at server: ServerProcess) async throws {
    first = try await Stored.first(at: server)
    let answer = try await server.send("GET", "/v1/\(FuzzCall.kept)/documents/c?pageSize=300")
    all = answer.components(separatedBy: "\r\n\r\n").last ?? ""
  }

  static func first(at server: ServerProcess) async throws -> String {
    let answer = try await server.send("GET", "/v1/\(FuzzCall.kept)/documents/c/1")
    return answer.components(separatedBy: "\r\n\r\n").last ?? ""
  }
}

/// Counts of the cases.
private struct Figures: CustomStringConvertible {
  var caseCount = 0
  var statuses: [Int: Int] = [:]
  var internalErrors: Set<String> = []

  var description: String {
    let answers = statuses.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    return "\(caseCount) cases; answers by status \(answers.joined(separator: ", "));"
  }

  mutating func add(_ client: FuzzClient, caseCount: Int) {
    add(
      Figures(
        caseCount: caseCount, statuses: client.statuses, internalErrors: client.internalErrors))
  }

  mutating func add(_ other: Figures) {
    caseCount += other.caseCount
    statuses.merge(other.statuses, uniquingKeysWith: +)
    internalErrors.formUnion(other.internalErrors)
  }
}
