import HearthServerTransport
import ServerTestClient

/// A port with the methods of a test.
struct TestPort {
  let port: ServerPort

  static let echo = RPCMethod(.one) { call in call.reply(try await call.next() ?? []) }

  /// Waits until the task is cancelled.
  static func waitForever() async {
    let never = Signal()
    await never.wait()
    withExtendedLifetime(never) {}
  }

  /// Runs `body` with a port, and closes it.
  static func with(
    _ methods: [String: RPCMethod] = ["/t.T/Echo": echo], settings: PortSettings = PortSettings(),
    certificate: PortCertificate? = nil,
    answer: @escaping HTTPAnswering = { _, _ in HTTPResponse(404) },
    observer: (any PortObserver)? = nil,
    _ body: (ServerPort) async throws -> Void
  ) async throws {
    try await Turns.run {
      let port = try await ServerPort.open(
        at: .loopback, number: 0, settings: settings, certificate: certificate,
        methods: { methods[$0] }, answers: HTTPAnswers(answer: answer), observer: observer)
      try await use(port, body)
    }
  }

  /// Runs `body`, and closes the port.
  private static func use(
    _ port: ServerPort, _ body: (ServerPort) async throws -> Void
  ) async throws {
    do {
      try await body(port)
    } catch {
      await port.close(after: .zero)
      throw error
    }
    await port.close(after: .zero)
  }

  /// Runs `body` with a client of a port.
  static func withClient(
    _ methods: [String: RPCMethod] = ["/t.T/Echo": echo], settings: PortSettings = PortSettings(),
    _ body: (ServerClient) async throws -> Void
  ) async throws {
    try await with(methods, settings: settings) { port in
      let client = try await ServerClient.connect(to: port.number)
      try await body(client)
      try await client.close()
    }
  }
}

extension PortAddresses {
  /// An address that each machine has.
  static let loopback = PortAddresses(all: ["127.0.0.1"])
}

/// A signal from one task to another one.
final class Signal: Sendable {
  private let stream: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  init() {
    (stream, continuation) = AsyncStream.makeStream()
  }

  func raise() { continuation.yield() }

  /// Waits for `raise()`, or for the end of the task.
  func wait() async {
    for await _ in stream { return }
  }
}
