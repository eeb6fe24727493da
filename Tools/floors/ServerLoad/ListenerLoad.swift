import HearthProtocols
import ServerTestClient
import SwiftProtobuf
import Synchronization

/// Listeners on the pages of users, and a hundred writes a second that each change one of them.
struct ListenerLoad {
  /// The times from writes to their events, in seconds.
  struct Delays {
    let p50, p99: Double
  }

  private static let targetsPerStream = 100
  private static let writesPerSecond = 100.0

  let count: Int

  func run(on server: ServerProcess, for seconds: Double) async throws -> Delays {
    let arrivals = Arrivals()
    let client = try await ServerClient.connect(to: server.port)
    let listening = try await listen(by: client, arrivals)
    var sent: [String: ContinuousClock.Instant] = [:]
    let writer = try await ServerClient.connect(to: server.port)
    let start = ContinuousClock.now
    for number in 0..<max(1, Int(seconds * ListenerLoad.writesPerSecond)) {
      try await Task.sleep(until: start + .seconds(Double(number) / ListenerLoad.writesPerSecond))
      let task = SampleTasks.newestTask(of: number % users(on: count))
      let title = SampleTasks.title(task, number + 1)
      sent[title] = .now
      try await server.checked(
        writer.call(
          "/google.firestore.v1.Firestore/Commit",
          SampleTasks.commit(of: task..<task + 1, revision: number + 1)))
    }
    try await Task.sleep(for: .seconds(1))
    for task in listening { task.cancel() }
    try await writer.close()
    try await client.close()
    let came = arrivals.all
    let delays = sent.compactMap { title, start in came[title].map { ($0 - start) / .seconds(1) } }
    guard delays.count == sent.count else {
      throw LoadError.missingEvents(sent.count - delays.count)
    }
    return Delays(p50: delays.sorted().percentile(0.5), p99: delays.sorted().percentile(0.99))
  }

  /// The users whose pages are listened to; several listeners may have the same.
  private func users(on listeners: Int) -> Int { min(listeners, 100) }

  /// Opens the listeners, and waits for their first results.
  private func listen(
    by client: ServerClient, _ arrivals: Arrivals
  ) async throws -> [Task<Void, Never>] {
    var tasks: [Task<Void, Never>] = []
    for first in stride(from: 0, to: count, by: ListenerLoad.targetsPerStream) {
      let stream = try await client.openCall("/google.firestore.v1.Firestore/Listen")
      let numbers = first..<min(first + ListenerLoad.targetsPerStream, count)
      for number in numbers {
        try await stream.send(
          message: SampleTasks.target(number + 1, on: number % users(on: count)))
      }
      var messages = ClientMessages(of: stream)
      var currentCount = 0
      while currentCount < numbers.count, let bytes = await messages.next() {
        let response = try Google_Firestore_V1_ListenResponse(serializedBytes: bytes)
        if response.targetChange.targetChangeType == .current { currentCount += 1 }
      }
      guard currentCount == numbers.count else {
        throw LoadError.refused(messages.status, messages.message ?? "")
      }
      tasks.append(Task { [messages] in await arrivals.note(messages) })
    }
    return tasks
  }
}

/// The moments at which titles came last: all listeners on their page have heard of them.
private final class Arrivals: Sendable {
  private let moments = Mutex<[String: ContinuousClock.Instant]>([:])

  var all: [String: ContinuousClock.Instant] { moments.withLock { $0 } }

  func note(_ messages: ClientMessages) async {
    var messages = messages
    while let bytes = await messages.next() {
      let now = ContinuousClock.now
      guard let response = try? Google_Firestore_V1_ListenResponse(serializedBytes: bytes),
        case .documentChange(let change)? = response.responseType,
        let title = change.document.fields.first(where: { $0.key == "title" })?.value.stringValue
      else { continue }
      moments.withLock { moments in
        moments[title] = now
      }
    }
  }
}
