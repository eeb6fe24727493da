import ServerTestClient
import TestSupport

/// A client that breaks the rules, case after case. What it leaves open, it closes after a while.
struct FuzzClient: Sendable {
  /// Connections and streams that are left open at once.
  private static let openCount = 20

  private let port: Int
  private let calls: [FuzzCall]
  private var bytes: FuzzBytes
  private var client: ServerClient?
  private var halfOpen: [PlainConnection] = []
  private var unread: [ClientStream] = []
  /// The answers by their status; -1 for none.
  private(set) var statuses: [Int: Int] = [:]
  /// The texts of errors that are the server's own.
  private(set) var internalErrors: Set<String> = []

  init(port: Int, calls: [FuzzCall], seed: UInt64) {
    self.port = port
    self.calls = calls
    bytes = FuzzBytes(random: SplitMix64(seed: seed))
  }

  /// Makes a number of cases. Errors of connections are what the cases ask for.
  mutating func run(caseCount: Int) async {
    for number in 0..<caseCount {
      if number % 50 == 0 { await connect() }
      do {
        switch Int.random(in: 0..<32, using: &bytes.random) {
        case 0..<18: try await call()
        case 18..<23: try await request()
        case 23..<28: try await leave(bytes.frames())
        case 28: try await leave(bytes.noise(upTo: 200))
        case 29..<31: try await readNothing()
        default: try await resetStreams()
        }
      } catch {
        await connect()
      }
    }
    await close()
  }

  private mutating func connect() async {
    try? await client?.close()
    unread = []
    client = try? await ServerClient.connect(to: port)
  }

  private mutating func close() async {
    for connection in halfOpen { try? await connection.close() }
    halfOpen = []
    try? await client?.close()
    client = nil
  }

  // MARK: Cases

  private mutating func call() async throws {
    guard let client else { return }
    let call = bytes.random.pick(calls)
    let path = bytes.random.oneIn(20) ? call.path + "x" : call.path
    let stream = try await client.openCall(path, headers: bytes.headers())
    let messageCount = bytes.random.oneIn(12) ? bytes.random.pick([0, 2]) : 1
    for _ in 0..<messageCount {
      try? await stream.send(bytes: bytes.framed(bytes.mutated(call.message)))
    }
    if call.isStream && bytes.random.oneIn(2) {
      try? await stream.reset()
    } else {
      try? await stream.end()
    }
    note(await stream.answer())
  }

  private mutating func note(_ answer: ClientAnswer) {
    statuses[answer.status ?? -1, default: 0] += 1
    if [2, 13].contains(answer.status), let message = answer.message {
      internalErrors.insert(message)
    }
  }

  private mutating func request() async throws {
    let (method, path, body) = bytes.random.pick(FuzzCall.requests)
    try await leave(bytes.request(method, path, body))
  }

  /// Sends bytes over a connection of their own, which is left open.
  private mutating func leave(_ sent: [UInt8]) async throws {
    let connection = try await PlainConnection.connect(to: port)
    halfOpen.append(connection)
    if halfOpen.count > FuzzClient.openCount { try? await halfOpen.removeFirst().close() }
    try? await connection.send(bytes: sent)
  }

  /// Asks for more than the window holds, and leaves it there.
  private mutating func readNothing() async throws {
    guard let client else { return }
    let call = bytes.random.pick(calls.filter { $0.isStream || $0.path.hasSuffix("RunQuery") })
    let stream = try await client.openCall(call.path)
    try await stream.stopReading()
    for _ in 0..<10 { try await stream.send(message: call.message) }
    unread.append(stream)
    if unread.count > FuzzClient.openCount { try? await unread.removeFirst().reset() }
  }

  /// Opens many streams at once, and resets them.
  private mutating func resetStreams() async throws {
    let client = try await ServerClient.connect(to: port)
    let call = bytes.random.pick(calls)
    for _ in 0..<bytes.random.pick([20, 300]) {
      guard let stream = try? await client.openCall(call.path) else { break }
      try? await stream.send(message: call.message)
      try? await stream.reset()
    }
    try? await client.close()
  }
}
