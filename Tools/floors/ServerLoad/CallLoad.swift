import ServerTestClient
import Synchronization

enum CallKind: String, CaseIterable {
  case get, page = "page of 20", count, commit
}

/// Calls of one kind, of which some are in flight all the time.
struct CallLoad {
  /// Figures of calls that have ended.
  struct Outcome {
    let p50, p99: Double
    let callsPerSecond: Double
    /// Processor time of the server for each call.
    let processorSeconds: Double
  }

  private static let callsPerConnection = 64
  /// Numbers of the tasks that commits write, which no other call reads.
  private static let newTasks = Atomic(100_000_000)

  private let kind: CallKind
  private let inFlight: Int
  private let documents: Int
  private let headers: [(String, String)]

  /// - Parameter byUser: whether the calls have the token of a user.
  init(_ kind: CallKind, inFlight: Int, of documents: Int, byUser: Bool = false) {
    (self.kind, self.inFlight, self.documents) = (kind, inFlight, documents)
    headers = byUser ? [("authorization", SampleTasks.token)] : []
  }

  func run(on server: ServerProcess, for seconds: Double) async throws -> Outcome {
    var clients: [ServerClient] = []
    for _ in 0..<(inFlight + CallLoad.callsPerConnection - 1) / CallLoad.callsPerConnection {
      clients.append(try await ServerClient.connect(to: server.port))
    }
    let processorTime = server.processorSeconds
    let start = ContinuousClock.now
    let end = start + .seconds(seconds)
    let times = try await withThrowingTaskGroup(of: [Double].self) { group in
      for caller in 0..<inFlight {
        let client = clients[caller % clients.count]
        group.addTask { try await call(by: client, on: server, until: end) }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    let duration = (ContinuousClock.now - start) / .seconds(1)
    let used = server.processorSeconds - processorTime
    for client in clients { try await client.close() }
    let sorted = times.sorted()
    return Outcome(
      p50: sorted.percentile(0.5), p99: sorted.percentile(0.99),
      callsPerSecond: Double(sorted.count) / duration,
      processorSeconds: used / Double(max(sorted.count, 1)))
  }

  /// Makes one call after the other.
  ///
  /// - Returns: their times in seconds.
  private func call(
    by client: ServerClient, on server: ServerProcess, until end: ContinuousClock.Instant
  ) async throws -> [Double] {
    var times: [Double] = []
    var random = SystemRandomNumberGenerator()
    repeat {
      let (path, request) = try request(&random)
      let start = ContinuousClock.now
      let answer = try await client.call(
        "/google.firestore.v1.Firestore/\(path)", request, headers: headers)
      times.append((ContinuousClock.now - start) / .seconds(1))
      try server.checked(answer)
      guard kind != .page || answer.messages.count >= 20 else { throw LoadError.shortPage }
    } while ContinuousClock.now < end
    return times
  }

  private func request(
    _ random: inout some RandomNumberGenerator
  ) throws -> (path: String, bytes: [UInt8]) {
    let task = Int.random(in: 0..<documents, using: &random)
    let user = SampleTasks.user(ofTask: task)
    switch kind {
    case .get: return ("GetDocument", try SampleTasks.get(task))
    case .page: return ("RunQuery", try SampleTasks.page(of: user))
    case .count: return ("RunAggregationQuery", try SampleTasks.count(of: user))
    case .commit:
      let number = CallLoad.newTasks.add(1, ordering: .relaxed).newValue
      return ("Commit", try SampleTasks.commit(of: number..<number + 1))
    }
  }
}

extension [Double] {
  /// The value below which a share of these sorted values is.
  func percentile(_ share: Double) -> Double {
    isEmpty ? .nan : self[Swift.min(count - 1, Int(Double(count) * share))]
  }
}

enum LoadError: Error, CustomStringConvertible {
  case noServer(String)
  case refused(Int?, String)
  case shortPage
  case missingEvents(Int)
  case noFigures(String)

  var description: String {
    switch self {
    case .noServer(let reason): "The server doesn't start: \(reason)"
    case .refused(let code, let message):
      "A call ended with \(code.map(String.init) ?? "nothing"): \(message)"
    case .missingEvents(let count): "\(count) writes had no event."
    case .noFigures(let command): "\(command) printed no figures."
    case .shortPage: "A page has fewer than 20 documents."
    }
  }
}
