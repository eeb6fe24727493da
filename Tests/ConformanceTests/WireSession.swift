import Hearth
import HearthDocumentModel
import HearthFirestoreJSON
import HearthServer
import HearthServerCalls
import ServerTestClient
import Synchronization

/// A server with a row's indexes and documents, to which rows are sent over REST.
final class WireSession {
  private static let root = "/v1/projects/\(DatabaseID.default.project)/databases/(default)"

  private let running: RunningServer
  /// The database of the server, to see which calls wait for locks.
  private let database: Database
  private var answers = RecordedAnswers()
  /// The calls that wait for locks.
  private var waiting: [WireCall] = []

  private init(_ running: RunningServer, _ database: Database) {
    self.running = running
    self.database = database
  }

  /// Runs `body` with a session, and stops its server.
  static func run(
    seed: String, indexes: String, _ body: (WireSession) async throws -> Void
  ) async throws {
    let path = indexes == "query-index" ? "indexes.json" : "indexes-probe.json"
    var server = HearthServer(databases: .inMemory)
    server.databases.indexes = try IndexFile(json: Recording.text(path))
    // A wait for a lock ends when a row says so.
    server.databases.locks.timeout = .seconds(3600)
    server.grace = .zero
    let settings = server
    try await Turns.run {
      let running = try await settings.start(port: 0)
      do {
        let database = try await running.registry.database(.default, for: .writing)
        let session = WireSession(running, database)
        try await session.load(seed)
        try await body(session)
        await running.stop()
        for call in session.waiting { _ = try? await call.answer }
      } catch {
        await running.stop()
        throw error
      }
    }
  }

  private func load(_ name: String) async throws {
    let seed = try Recording.json("seeds/\(name).json")
    let commits = seed["commits"]?.elements.map(\.elements) ?? [seed["documents"]?.elements ?? []]
    for documents in commits {
      let writes = try documents.map { document in
        let path = document["path"]?.string ?? ""
        let name = JSONValue.string("\(Self.root.dropFirst(4))/documents/\(path)")
        let fields = try answers.substituted(document["fields"] ?? .object([]))
        return JSONValue.object([("update", .object([("name", name), ("fields", fields)]))])
      }
      let body = JSONValue.object([("writes", .array(writes))])
      let answer = try await PlainConnection.exchange(
        "POST", "\(Self.root)/documents:commit", String(decoding: body.text, as: UTF8.self),
        port: running.port)
      guard answer.status == 200 else { throw UnreadableRow(name: name) }
    }
  }

  // MARK: Rows

  /// Sends a row, and keeps its answer for later ones.
  func answer(_ row: RecordedRow) async throws -> Answer {
    let request = try WireRequest(row, below: Self.root, answers)
    let exchange = try await exchange(request, of: row)
    return try answers.keep(exchange.map { try Answer($0, to: row) } ?? Answer.blocked, of: row)
  }

  /// - Returns: `nil` if the call waits for a transaction, and the recorder didn't wait for the
  ///   answer. Otherwise the time of the wait passes at once.
  private func exchange(_ request: WireRequest, of row: RecordedRow) async throws -> WireAnswer? {
    let waitCount = database.lockWaitCount
    let call = WireCall(request, port: running.port)
    while !call.isOver, database.lockWaitCount <= waitCount { await Task.yield() }
    if !call.isOver {
      if row.expect["status"]?.string == "BLOCKED" {
        waiting.append(call)
        return nil
      }
      database.endLockWaits()
    }
    return try await call.answer
  }
}

/// The status and the body of an answer.
typealias WireAnswer = (status: Int, body: String)

/// A call that is under way.
private final class WireCall: Sendable {
  private let task: Task<WireAnswer, any Error>
  private let over = Flag()

  /// Whether its answer is there.
  var isOver: Bool { over.isSet }

  init(_ request: WireRequest, port: Int) {
    task = Task { [over] in
      defer { over.set() }
      return try await PlainConnection.exchange(
        request.method, request.path, request.body, port: port)
    }
  }

  var answer: WireAnswer {
    get async throws { try await task.value }
  }
}

private final class Flag: Sendable {
  private let value = Mutex(false)

  var isSet: Bool { value.withLock { $0 } }

  func set() { value.withLock { $0 = true } }
}
