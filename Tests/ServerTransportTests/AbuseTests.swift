import HearthServerTransport
import ServerTestClient
import Testing

/// Clients that break the rules, or the port.
@Suite(.timeLimit(.minutes(5))) struct AbuseTests {
  @Test(arguments: [[(":method", "GET"), (":path", "/")], [(":method", "CONNECT")]])
  func aRequestThatIsNoneEndsItsStreamAlone(headers: [(String, String)]) async throws {
    try await TestPort.withClient { client in
      let stream = try await client.openStream()
      let scheme = headers.count > 1 ? [(":scheme", "http")] : [(":authority", "localhost")]
      try? await stream.send(headers: headers + scheme, isLast: true)
      _ = await stream.answer()
      let next = try await client.call("/t.T/Echo", [5])
      #expect(next.messages == [[5]])
    }
  }

  @Test func aLongTextOfAStatusIsCutBetweenCharacters() async throws {
    let text = String(repeating: "é", count: 50_000)
    let methods = [
      "/t.T/Long": RPCMethod(.one) { _ in
        throw RPCStatus(.invalidArgument, text, details: String(repeating: "A", count: 9_000))
      },
      "/t.T/Details": RPCMethod(.one) { _ in
        throw RPCStatus(.invalidArgument, "a", details: String(repeating: "A", count: 9_000))
      },
    ]
    try await TestPort.withClient(methods) { client in
      let answer = try await client.call("/t.T/Long", [])
      #expect(answer.status == 3)
      // A character takes six signs, of which 4,096 hold 682.
      #expect(answer.message == String(repeating: "%C3%A9", count: 682))
      #expect(answer.headers.last?["grpc-status-details-bin"] == nil)
      let details = try await client.call("/t.T/Details", [])
      #expect(details.message == "a")
      #expect(details.headers.last?["grpc-status-details-bin"] == nil)
    }
  }

  @Test func aSilentConnectionDoesNotHoldUpTheEnd() async throws {
    let port = try await ServerPort.open(
      at: .loopback, number: 0, methods: { _ in nil },
      answers: HTTPAnswers { _, _ in HTTPResponse(404) })
    let silent = try await PlainConnection.connect(to: port.number)
    let half = try await PlainConnection.connect(to: port.number)
    try await half.send("PR")
    // With the grace, the test would take an hour.
    await port.close(after: .seconds(3600))
    #expect(await silent.text() == "")
    #expect(await half.text() == "")
  }

  @Test func aConnectionThatSaysNothingIsClosed() async throws {
    var settings = PortSettings()
    settings.choiceTime = .milliseconds(20)
    try await TestPort.with(settings: settings) { port in
      for start in ["", "PR"] {
        let connection = try await PlainConnection.connect(to: port.number)
        // The port may have closed it already.
        try? await connection.send(start)
        #expect(await connection.text() == "")
      }
    }
  }

  @Test func aRequestThatIsNotWholeInTimeIsEnded() async throws {
    var settings = PortSettings()
    settings.requestTime = .milliseconds(20)
    try await TestPort.with(settings: settings) { port in
      for start in ["GET / HTTP/1.1\r\nHo", "POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\na"] {
        let connection = try await PlainConnection.connect(to: port.number)
        try? await connection.send(start)
        #expect(await connection.text() == "")
      }
      let client = try await ServerClient.connect(to: port.number)
      let call = try await client.openCall("/t.T/Echo")
      #expect(await call.answer().status == 4)
      try await client.close()
    }
  }

  @Test func unfinishedRequestsAreLimitedTogether() async throws {
    var settings = PortSettings()
    settings.unfinishedByteCount = 100_000
    let bytes = [UInt8](repeating: 0, count: 60_000)
    let frame = [0, 0, 0x10, 0, 0] + bytes
    try await TestPort.with(settings: settings) { port in
      let client = try await ServerClient.connect(to: port.number)
      let first = try await client.openCall("/t.T/Echo")
      try await first.send(bytes: frame)
      let second = try await client.openCall("/t.T/Echo")
      try? await second.send(bytes: frame)
      // Either may be the one whose bytes are too many.
      let body = try await PlainConnection.connect(to: port.number)
      try await body.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 999999\r\n\r\n")
      try? await body.send(bytes: bytes + bytes)
      #expect(await body.text().hasPrefix("HTTP/1.1 503 "))
      try? await first.reset()
      try? await second.reset()
      try await client.close()
      // All that was taken is given back.
      let next = try await ServerClient.connect(to: port.number)
      let answer = try await next.call("/t.T/Echo", bytes)
      #expect(answer.messages == [bytes])
      try await next.close()
    }
  }

  @Test(arguments: [0, 1_000])
  func messagesThatNoHandlerTakesCount(byteCount: Int) async throws {
    var settings = PortSettings()
    settings.unfinishedByteCount = 100_000
    let methods = ["/t.T/Deaf": RPCMethod(.many) { _ in await TestPort.waitForever() }]
    try await TestPort.withClient(methods, settings: settings) { client in
      let call = try await client.openCall("/t.T/Deaf")
      let message = ClientStream.framed([UInt8](repeating: 0, count: byteCount))
      try? await call.send(bytes: Array(repeatElement(message, count: 2_000).joined()))
      #expect(await call.answer().status == 8)
    }
  }

  @Test func aLargeUnfinishedMessageIsRefused() async throws {
    var settings = PortSettings()
    settings.unfinishedByteCount = 100_000
    try await TestPort.withClient(settings: settings) { client in
      let call = try await client.openCall("/t.T/Echo")
      try? await call.send(bytes: [0, 0, 0x10, 0, 0] + [UInt8](repeating: 0, count: 200_000))
      #expect(await call.answer().status == 8)
    }
  }

  @Test func nothingFollowsAnUpgrade() async throws {
    try await TestPort.with { port in
      let connection = try await PlainConnection.connect(to: port.number)
      try await connection.send(
        "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n\r\n")
      // The text ends with the connection.
      #expect(await connection.text().lowercased().contains("connection: close"))
    }
  }

  /// Frames that are errors of their connection, with the code of each.
  private static let connectionErrors: [(frame: [UInt8], code: UInt8)] = [
    // Data on a stream that was never opened.
    ([0, 0, 1, 0, 0, 0, 0, 0, 1, 7], 1),
    // A frame larger than any may be.
    ([0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0, 1], 6),
    // Headers whose compression names an entry that isn't there.
    ([0, 0, 1, 1, 5, 0, 0, 0, 1, 0x80], 9),
  ]

  @Test(arguments: connectionErrors)
  func aConnectionWithAnErrorOfItsOwnIsClosed(frame: [UInt8], code: UInt8) async throws {
    try await TestPort.with { port in
      let connection = try await PlainConnection.connect(to: port.number)
      let settings: [UInt8] = [0, 0, 0, 4, 0, 0, 0, 0, 0]
      try await connection.send(
        bytes: Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + settings + frame)
      let bytes = await connection.bytes()
      let goAway = bytes.suffix(17)
      #expect(Array(goAway.prefix(9)) == [0, 0, 8, 7, 0, 0, 0, 0, 0])
      #expect(Array(goAway.suffix(4)) == [0, 0, 0, code])
    }
  }
}
