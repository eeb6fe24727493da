import HearthServerTransport
import ServerTestClient
import Testing

/// Clients that don't read, and those that ask for nothing.
@Suite(.timeLimit(.minutes(5))) struct SilentClientTests {
  /// Notes the ends of calls and connections.
  private final class Ends: PortObserver {
    let (calls, call) = AsyncStream.makeStream(of: RPCStatus.Code.self)
    let connection = Signal()

    func noteConnections(_ change: Int) { if change < 0 { connection.raise() } }
    func noteTLS() {}
    func noteCall(_ path: String, _ code: RPCStatus.Code, _ duration: Duration) {
      call.yield(code)
    }
  }

  /// Time so short that it passes before a client could take anything.
  private static var impatient: PortSettings {
    var settings = PortSettings()
    settings.requestTime = .milliseconds(20)
    return settings
  }

  // MARK: Answers that are not read

  private static func methods(_ ended: Signal) -> [String: RPCMethod] {
    [
      "/t.T/Flood": RPCMethod(.many) { call in
        defer { ended.raise() }
        while true { try await call.send([UInt8](repeating: 7, count: 64 << 10)) }
      },
      "/t.T/Reply": RPCMethod(.many) { call in
        call.reply([UInt8](repeating: 7, count: 8 << 20))
        ended.raise()
      },
      // More than the client's window, and less than the port keeps for it.
      "/t.T/Last": RPCMethod(.many) { call in
        call.reply([UInt8](repeating: 7, count: 200 << 10))
        ended.raise()
      },
    ]
  }

  @Test(arguments: [
    ("/t.T/Flood", RPCStatus.Code.resourceExhausted),
    ("/t.T/Reply", .resourceExhausted),
    // All of it was written, which is the end of the call.
    ("/t.T/Last", .ok),
  ])
  func aCallOfWhichNothingIsTakenIsReset(path: String, code: RPCStatus.Code) async throws {
    let (ends, ended) = (Ends(), Signal())
    try await TestPort.with(Self.methods(ended), settings: Self.impatient, observer: ends) { port in
      let client = try await ServerClient.connect(to: port.number)
      let stream = try await client.openStream()
      try await stream.stopReading()
      // Such a method needs no message, which might come too late.
      try await stream.send(
        headers: [
          (":method", "POST"), (":path", path), (":scheme", "http"), (":authority", "localhost"),
          ("content-type", "application/grpc"), ("te", "trailers"),
        ], isLast: true)
      await ended.wait()
      // Without a read, nothing but a reset ends the stream.
      let answer = await stream.answer()
      #expect(answer.resetCode == 11)
      var codes = ends.calls.makeAsyncIterator()
      #expect(await codes.next() == code)
      // The connection goes on.
      let next = try await client.openCall("/t.T/Nope", isLast: true)
      #expect(await next.answer().status == 12)
      try await client.close()
    }
  }

  @Test(arguments: ["", "Connection: close\r\n"])
  func anAnswerOfWhichNothingIsTakenEndsItsConnection(header: String) async throws {
    let ends = Ends()
    let large: HTTPAnswering = { _, _ in
      HTTPResponse(200, body: [UInt8](repeating: 7, count: 64 << 20))
    }
    try await TestPort.with(settings: Self.impatient, answer: large, observer: ends) { port in
      let connection = try await PlainConnection.connect(to: port.number)
      try await connection.stopReading()
      try await connection.send("GET / HTTP/1.1\r\nHost: a\r\n\(header)\r\n")
      await ends.connection.wait()
      withExtendedLifetime(connection) {}
    }
  }

  @Test func aLongAnswerIsWholeForAClientThatReads() async throws {
    let body = (0..<9_000_000).map { UInt8(truncatingIfNeeded: $0) }
    try await TestPort.with(answer: { _, _ in HTTPResponse(200, body: body) }) { port in
      let connection = try await PlainConnection.connect(to: port.number)
      let request = "GET / HTTP/1.1\r\nHost: a\r\n"
      try await connection.send("\(request)\r\n\(request)Connection: close\r\n\r\n")
      let bytes = await connection.bytes()
      #expect(Array(bytes.suffix(body.count)) == body)
      #expect(bytes.count > 2 * body.count && bytes.count < 2 * body.count + 1_000)
      let client = try await ServerClient.connect(to: port.number)
      let stream = try await client.openCall(
        "/", contentType: "application/json", method: "GET", isLast: true)
      #expect(await stream.answer().bytes == body)
      try await client.close()
    }
  }

  // MARK: Connections of HTTP/2

  @Test func aConnectionWithoutAStreamEnds() async throws {
    var settings = PortSettings()
    settings.idleTime = .milliseconds(10)
    try await TestPort.with(settings: settings) { port in
      let client = try await ServerClient.connect(to: port.number)
      await client.waitForGoAway()
      try await client.waitForClose()
    }
  }

  @Test func aConnectionWithAStreamStays() async throws {
    var settings = PortSettings()
    settings.idleTime = .milliseconds(10)
    let methods = [
      "/t.T/Talk": RPCMethod(.many) { call in
        call.accept()
        while let message = try await call.next() { try await call.send(message) }
      }
    ]
    try await TestPort.with(methods, settings: settings) { port in
      let (client, stream) = try await Self.openStream(at: port)
      // Meanwhile others end.
      for _ in 0..<5 {
        let other = try await ServerClient.connect(to: port.number)
        try await other.waitForClose()
      }
      try await stream.send(message: [1])
      #expect(await stream.next() == .data(ClientStream.framed([1]), isLast: false))
      try await stream.end()
      #expect(await stream.answer().status == 0)
      try await client.waitForClose()
    }
  }

  /// Opens a stream on a connection, which may end before it is there.
  private static func openStream(
    at port: ServerPort
  ) async throws -> (ServerClient, ClientStream) {
    while true {
      let client = try await ServerClient.connect(to: port.number)
      if let stream = try? await client.openCall("/t.T/Talk"), await stream.next().isHeaders {
        return (client, stream)
      }
    }
  }

  @Test func aConnectionWhoseClientVanishesIsClosed() async throws {
    var settings = PortSettings()
    settings.pingTime = .milliseconds(10)
    try await TestPort.with(settings: settings) { port in
      let connection = try await PlainConnection.connect(to: port.number)
      try? await connection.send(
        bytes: Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + [0, 0, 0, 4, 0, 0, 0, 0, 0])
      let bytes = await connection.bytes()
      // The last frame is a ping.
      #expect(bytes.suffix(17).prefix(9) == [0, 0, 8, 6, 0, 0, 0, 0, 0])
    }
  }
}
