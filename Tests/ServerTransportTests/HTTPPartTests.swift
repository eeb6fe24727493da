import HearthServerTransport
import ServerTestClient
import Testing

/// Answers of HTTP that are sent in parts.
@Suite(.timeLimit(.minutes(5))) struct HTTPPartTests {
  private static let inParts: HTTPAnswering = { request, send in
    do {
      try await send(HTTPResponse(201, headers: [("x-part", "1")], body: Array("ab".utf8)))
      try await send(HTTPResponse(500, headers: [("x-part", "2")], body: Array("c".utf8)))
      return HTTPResponse(404, body: Array("de".utf8))
    } catch {
      return HTTPResponse(500)
    }
  }

  @Test func thePartsFollowTheFirstHead() async throws {
    try await TestPort.with(answer: Self.inParts) { port in
      let connection = try await PlainConnection.connect(to: port.number)
      for _ in 0..<2 {
        try await connection.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        let text = await connection.text(upTo: "\r\n0\r\n\r\n").lowercased()
        #expect(text.hasPrefix("http/1.1 201 created\r\n"))
        #expect(text.contains("x-part: 1\r\n") && !text.contains("x-part: 2"))
        #expect(text.contains("transfer-encoding: chunked\r\n"))
        #expect(!text.contains("content-length"))
        #expect(text.hasSuffix("\r\n\r\n2\r\nab\r\n1\r\nc\r\n2\r\nde\r\n0\r\n\r\n"))
      }
      try await connection.close()
    }
  }

  @Test func theEndOfAnOldConnectionEndsTheAnswer() async throws {
    try await TestPort.with(answer: Self.inParts) { port in
      let connection = try await PlainConnection.connect(to: port.number)
      try await connection.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
      let text = await connection.text().lowercased()
      #expect(!text.contains("transfer-encoding"))
      #expect(text.hasSuffix("\r\n\r\nabcde"))
    }
  }

  @Test func thePartsPassOverHTTP2Too() async throws {
    try await TestPort.with(answer: Self.inParts) { port in
      let client = try await ServerClient.connect(to: port.number)
      let stream = try await client.openCall(
        "/x", contentType: "application/json", method: "GET", isLast: true)
      let answer = await stream.answer()
      #expect(answer.headers.first?[":status"] == "201")
      #expect(answer.headers.first?["transfer-encoding"] == nil)
      #expect(answer.bytes == Array("abcde".utf8))
      try await client.close()
    }
  }

  // MARK: Back-pressure

  private static let partByteCount = 64 << 10

  /// Bytes that may be on their way to a client: what the system and the port hold.
  private static let waitingByteCount = 24 << 20

  /// Answers without an end, and counts the parts.
  private static func flood(_ sent: Counter, _ ended: Signal) -> HTTPAnswering {
    { _, send in
      do {
        while true {
          try await send(HTTPResponse(200, body: [UInt8](repeating: 7, count: partByteCount)))
          sent.add(1)
        }
      } catch {
        ended.raise()
        return HTTPResponse(500)
      }
    }
  }

  @Test func anAnswerWaitsForAClientThatDoesNotRead() async throws {
    let (sent, ended) = (Counter(), Signal())
    try await TestPort.with(answer: Self.flood(sent, ended)) { port in
      let connection = try await PlainConnection.connect(to: port.number)
      try await connection.stopReading()
      try await connection.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
      var byteCount = 0
      while byteCount < 100 * Self.partByteCount {
        byteCount += try #require(await connection.read()).count
        try #require(sent.count * Self.partByteCount - byteCount < Self.waitingByteCount)
      }
      try await connection.close()
      await ended.wait()
    }
  }

  @Test func anAnswerWaitsForAStreamThatIsNotRead() async throws {
    let (sent, ended) = (Counter(), Signal())
    try await TestPort.with(answer: Self.flood(sent, ended)) { port in
      let client = try await ServerClient.connect(to: port.number)
      let stream = try await Self.openIdleStream(of: client)
      var byteCount = 0
      while byteCount < 100 * Self.partByteCount {
        switch await stream.read() {
        case .data(let bytes, _): byteCount += bytes.count
        case .headers: break
        default: throw CancellationError()
        }
        try #require(sent.count * Self.partByteCount - byteCount < Self.waitingByteCount)
      }
      try await stream.reset()
      await ended.wait()
      try await client.close()
    }
  }

  @Test func aClientThatTakesNothingForLongIsLeft() async throws {
    var settings = PortSettings()
    settings.requestTime = .milliseconds(20)
    let (sent, ended) = (Counter(), Signal())
    try await TestPort.with(settings: settings, answer: Self.flood(sent, ended)) { port in
      let client = try await ServerClient.connect(to: port.number)
      // A stream's handler gets its request at once, so that only the answer can take too long.
      let stream = try await Self.openIdleStream(of: client)
      await ended.wait()
      withExtendedLifetime(stream) {}
      try await client.close()
    }
  }

  /// Opens a stream with a request whose answer isn't read.
  private static func openIdleStream(of client: ServerClient) async throws -> ClientStream {
    let stream = try await client.openStream()
    try await stream.stopReading()
    try await stream.send(
      headers: [
        (":method", "GET"), (":path", "/"), (":scheme", "http"), (":authority", "localhost"),
      ], isLast: true)
    return stream
  }
}
