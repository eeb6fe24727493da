import HearthProtocols
import ServerTestClient
import SwiftProtobuf
import Synchronization
import TestSupport

/// A folder that servers serve until they are killed, round after round, while clients write and
/// listen.
///
/// After each kill the documents of each client are those after its last acknowledged commit, or
/// after the one that was under way. Listeners go on from their tokens, and arrive at what is
/// stored.
struct ServerKillRounds {
  static let clientCount = 32

  /// Counts of the rounds by their events.
  struct Figures: CustomStringConvertible {
    var rounds = 0
    var acknowledged = 0
    /// Commits that were not acknowledged: those found whole, and those found missing.
    var keptUnacknowledged = 0
    var lostUnacknowledged = 0
    var reconnects = 0
    var documents = 0

    var description: String {
      "\(rounds) kills, \(ServerKillRounds.clientCount) clients: \(acknowledged) commits "
        + "acknowledged; of those under way \(keptUnacknowledged) were kept, "
        + "\(lostUnacknowledged) lost; \(reconnects) listeners connected again between; at the end "
        + "\(documents) documents"
    }
  }

  private let folder: TemporaryFolder
  private var random: SplitMix64
  private var clients: [ClientHistory]
  private var listeners: [KillListener]
  private(set) var figures = Figures()
  private(set) var faults: [String] = []

  init(seed: UInt64) throws {
    folder = try TemporaryFolder()
    random = SplitMix64(seed: seed)
    clients = (0..<ServerKillRounds.clientCount).map { ClientHistory(client: $0, seed: seed) }
    listeners = (1...3).map { KillListener(patience: 40 * $0) }
  }

  mutating func run(rounds: Int) async throws {
    for _ in 0..<rounds where faults.isEmpty { try await runRound() }
    // The state after the last kill.
    let server = try await start()
    try await beginListeners(at: server)
    try await server.kill()
    figures.reconnects = listeners.reduce(0) { $0 + $1.reconnectCount }
  }

  private mutating func runRound() async throws {
    let server = try await start()
    try await beginListeners(at: server)
    let outcomes = try await write(
      to: server, killingAfter: .random(in: 1...300, using: &random))
    guard try await ServerProcess.verify("\(data)/demo-kills/(default)") == 0 else {
      return faults.append("Kill \(figures.rounds): `hearth verify` has found a problem")
    }
    figures.rounds += 1
    try await compare(outcomes)
  }

  private var data: String { folder.path(of: "data") }

  private func start() async throws -> ServerProcess {
    try await ServerProcess.start(["--db", data], in: folder)
  }

  private mutating func beginListeners(at server: ServerProcess) async throws {
    for number in listeners.indices {
      try await listeners[number].begin(at: server.port)
      faults += listeners[number].faults
    }
  }

  // MARK: Writing

  /// One that ended with the server.
  private enum Ended: Sendable {
    case writer(Outcome)
    case listener(Int, KillListener)
    case server
  }

  /// The history of a client up to its last acknowledged commit, and with the next one.
  private struct Outcome: Sendable {
    let before: ClientHistory
    let after: ClientHistory
  }

  /// Lets all clients write, and kills the server at an acknowledgement.
  private mutating func write(
    to server: ServerProcess, killingAfter limit: Int
  ) async throws -> [Outcome] {
    let listeners = listeners
    let clients = clients
    let (count, acknowledgements) = (Acknowledgements(limit), figures.acknowledged)
    let outcomes = try await withThrowingTaskGroup(of: Ended.self) { group in
      for (number, listener) in listeners.enumerated() {
        group.addTask {
          var listener = listener
          await listener.follow()
          return .listener(number, listener)
        }
      }
      for client in clients {
        group.addTask { .writer(try await ServerKillRounds.write(client, to: server, count)) }
      }
      group.addTask {
        await count.waitForLimit()
        try await server.kill()
        return .server
      }
      var outcomes: [Outcome] = []
      for try await ended in group {
        switch ended {
        case .writer(let outcome): outcomes.append(outcome)
        case .listener(let number, let listener): self.listeners[number] = listener
        case .server: break
        }
      }
      return outcomes
    }
    figures.acknowledged = acknowledgements + count.value
    return outcomes
  }

  /// Commits until the connection ends.
  private static func write(
    _ history: ClientHistory, to server: ServerProcess, _ count: Acknowledgements
  ) async throws -> Outcome {
    var history = history
    // Where the server is killed before, the first commit was never made.
    guard let client = try? await ServerClient.connect(to: server.port) else {
      return Outcome(before: history, after: history)
    }
    while true {
      var next = history
      guard try await KillCalls.commit(next.next(), by: client) else {
        return Outcome(before: history, after: next)
      }
      count.add()
      history = next
    }
  }

  // MARK: Comparing

  /// Compares the stored documents with the histories, and lets these go on from what is stored.
  private mutating func compare(_ outcomes: [Outcome]) async throws {
    let server = try await start()
    let stored = try await storedDocuments(at: server)
    try await server.kill()
    figures.documents = stored.values.reduce(0) { $0 + $1.count }
    for outcome in outcomes {
      let (before, after) = (outcome.before, outcome.after)
      let documents = stored[before.client] ?? [:]
      let isKept = documents == after.documents
      guard isKept || documents == before.documents else {
        faults.append(
          "Kill \(figures.rounds): client \(before.client) has \(documents), and neither "
            + "\(before.documents) nor \(after.documents)")
        continue
      }
      if before.stepCount != after.stepCount {
        figures.keptUnacknowledged += isKept ? 1 : 0
        figures.lostUnacknowledged += isKept ? 0 : 1
      }
      clients[before.client] = after
      clients[before.client].documents = documents
    }
  }

  private func storedDocuments(
    at server: ServerProcess
  ) async throws -> [Int: [String: ClientHistory.Fields]] {
    var request = Google_Firestore_V1_RunQueryRequest()
    request.parent = "\(KillCalls.database)/documents"
    request.structuredQuery.from = [.with { $0.collectionID = "c" }]
    let client = try await ServerClient.connect(to: server.port)
    let responses = try await KillCalls.responses(
      "RunQuery", request, as: Google_Firestore_V1_RunQueryResponse.self, from: client)
    try await client.close()
    var documents: [Int: [String: ClientHistory.Fields]] = [:]
    for document in responses.filter(\.hasDocument).map(\.document) {
      let id = String(document.name.split(separator: "/").last ?? "")
      documents[ClientHistory.client(of: id) ?? -1, default: [:]][id] = .init(document)
    }
    return documents
  }
}

/// Counts the acknowledged commits of all clients.
private final class Acknowledgements: Sendable {
  private let count = Atomic(0)
  private let limit: Int
  private let reached: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  init(_ limit: Int) {
    self.limit = limit
    (reached, continuation) = AsyncStream.makeStream()
  }

  var value: Int { count.load(ordering: .sequentiallyConsistent) }

  func add() {
    let count = count.add(1, ordering: .sequentiallyConsistent).newValue
    if count == limit { continuation.finish() }
  }

  /// Waits until there are as many as the limit.
  func waitForLimit() async {
    for await _ in reached {}
  }
}
