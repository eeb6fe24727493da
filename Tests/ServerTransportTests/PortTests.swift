import HearthServerTransport
import ServerTestClient
import Testing

/// Connections, and requests that are no calls.
@Suite(.timeLimit(.minutes(5))) struct PortTests {
  private static let mirror: HTTPAnswering = { request, _ in
    let text = "\(request.method) \(request.target) \(request.body.count)"
    return HTTPResponse(200, text: text)
  }

  private static let get = "GET /a?b HTTP/1.1\r\nHost: localhost\r\n\r\n"

  @Test func plainRequestsAreAnsweredOneAfterTheOther() async throws {
    try await TestPort.with(answer: Self.mirror) { port in
      let connection = try await PlainConnection.connect(to: port.number)
      for _ in 0..<3 {
        try await connection.send(Self.get)
        let text = await connection.text(upTo: "GET /a?b 0")
        #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n"))
      }
      try await connection.send("POST /c HTTP/1.1\r\nHost: l\r\nContent-Length: 3\r\n\r\nabc")
      #expect(await connection.text(upTo: "POST /c 3").hasSuffix("\r\n\r\nPOST /c 3"))
      try await connection.close()
    }
  }

  @Test func pipelinedRequestsAreAnsweredInTheirOrder() async throws {
    try await TestPort.with(answer: Self.mirror) { port in
      let connection = try await PlainConnection.connect(to: port.number)
      let last = "GET /z HTTP/1.1\r\nHost: l\r\nConnection: close\r\n\r\n"
      try await connection.send(Self.get + Self.get + last)
      let text = await connection.text()
      #expect(text.split(separator: "HTTP/1.1 200 OK").count == 3)
      #expect(text.hasSuffix("GET /z 0"))
    }
  }

  @Test func aClientThatAsksFirstMayGoOn() async throws {
    try await TestPort.with(answer: Self.mirror) { port in
      let connection = try await PlainConnection.connect(to: port.number)
      try await connection.send(
        "POST /c HTTP/1.1\r\nHost: l\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n")
      let first = await connection.text(upTo: "\r\n\r\n")
      #expect(first == "HTTP/1.1 100 Continue\r\n\r\n")
      try await connection.send("abc")
      #expect(await connection.text(upTo: "POST /c 3").hasPrefix("HTTP/1.1 200 OK\r\n"))
      try await connection.close()
    }
  }

  @Test func aRequestThatIsTooLargeIsRefused() async throws {
    var settings = PortSettings()
    settings.messageByteCount = 2
    try await TestPort.with(settings: settings, answer: Self.mirror) { port in
      let connection = try await PlainConnection.connect(to: port.number)
      try await connection.send("POST /c HTTP/1.1\r\nHost: l\r\nContent-Length: 3\r\n\r\nabc")
      #expect(await connection.text().hasPrefix("HTTP/1.1 413 "))
    }
  }

  @Test func theFirstBytesMayComeInParts() async throws {
    try await TestPort.with(answer: Self.mirror) { port in
      let connection = try await PlainConnection.connect(to: port.number)
      // Two bytes could still be the preface of HTTP/2.
      try await connection.send("P")
      try await connection.send("R")
      try await connection.send("OPFIND /a HTTP/1.1\r\nHost: l\r\n\r\n")
      #expect(await connection.text(upTo: "/a 0").hasSuffix("PROPFIND /a 0"))
      try await connection.close()
    }
  }

  @Test func aPortWithACertificateSpeaksTLS() async throws {
    let certificate = try TestCertificate()
    defer { certificate.remove() }
    let proof = try PortCertificate(chain: certificate.chain, key: certificate.key)
    try await TestPort.with(certificate: proof) { port in
      let client = try await ServerClient.connect(to: port.number, trusting: certificate.chain)
      #expect(try await client.call("/t.T/Echo", [1, 2, 3]).messages == [[1, 2, 3]])
      try await client.close()
      let plain = try await PlainConnection.connect(to: port.number)
      try await plain.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
      #expect(await !plain.text().contains("HTTP/1.1"))
    }
  }

  @Test func aCertificateNeedsItsFilesAndItsOwnKey() throws {
    let certificate = try TestCertificate()
    defer { certificate.remove() }
    for (chain, key, reason) in [
      (certificate.chain, certificate.otherKey, "doesn't belong to"),
      (certificate.key, certificate.key, "The certificate \(certificate.key) can't be read"),
      (certificate.chain + "x", certificate.key, "chain.pemx can't be read"),
      (certificate.chain, certificate.chain, "The private key \(certificate.chain) can't be read"),
      (certificate.chain, "", "The private key"),
    ] {
      let failure = #expect(throws: CertificateFailure.self) {
        _ = try PortCertificate(chain: chain, key: key)
      }
      #expect(failure?.description.contains(reason) == true, "\(failure?.description ?? "")")
    }
  }

  @Test func tlsIsClosedAtOnce() async throws {
    try await TestPort.with { port in
      let connection = try await PlainConnection.connect(to: port.number)
      try await connection.send(bytes: [0x16, 0x03, 0x01])
      #expect(await connection.text() == "")
    }
  }

  @Test func plainRequestsPassOverHTTP2Too() async throws {
    try await TestPort.with(answer: Self.mirror) { port in
      let client = try await ServerClient.connect(to: port.number)
      let stream = try await client.openCall(
        "/x", contentType: "application/json", method: "PUT")
      try await stream.send(bytes: [1, 2], isLast: true)
      let answer = await stream.answer()
      #expect(answer.headers.first?[":status"] == "200")
      #expect(String(decoding: answer.bytes, as: UTF8.self) == "PUT /x 2")
      try await client.close()
    }
  }

  @Test func connectionsAreLimited() async throws {
    var settings = PortSettings()
    settings.connectionCount = 1
    try await TestPort.with(settings: settings, answer: Self.mirror) { port in
      let first = try await PlainConnection.connect(to: port.number)
      try await first.send(Self.get)
      _ = await first.text(upTo: "GET /a?b 0")
      let second = try await PlainConnection.connect(to: port.number)
      #expect(await second.text() == "")
      #expect(port.connectionCount == 1)
      try await first.close()
    }
  }

  // MARK: The end

  @Test func closingLetsCallsEnd() async throws {
    let (begun, go) = (Signal(), Signal())
    let methods = [
      "/t.T/Wait": RPCMethod(.one) { call in
        begun.raise()
        await go.wait()
        call.reply([1])
      }
    ]
    let port = try await ServerPort.open(
      at: .loopback, number: 0, methods: { methods[$0] },
      answers: HTTPAnswers(answer: Self.mirror))
    let client = try await ServerClient.connect(to: port.number)
    let stream = try await client.openCall("/t.T/Wait")
    try await stream.send(message: [], isLast: true)
    await begun.wait()
    async let closing: Void = port.close(after: .seconds(600))
    await client.waitForGoAway()
    go.raise()
    let answer = await stream.answer()
    #expect(answer.messages == [[1]])
    #expect(answer.status == 0)
    await closing
    try await client.waitForClose()
    await #expect(throws: (any Error).self) {
      _ = try await PlainConnection.connect(to: port.number)
    }
  }

  @Test func closingEndsStreamsAndIdleConnections() async throws {
    let methods = [
      "/t.T/Read": RPCMethod(.many) { call in
        call.accept()
        while try await call.next() != nil {}
      }
    ]
    let port = try await ServerPort.open(
      at: .loopback, number: 0, methods: { methods[$0] },
      answers: HTTPAnswers(answer: Self.mirror))
    let client = try await ServerClient.connect(to: port.number)
    let stream = try await client.openCall("/t.T/Read")
    #expect(await stream.next().isHeaders)
    let plain = try await PlainConnection.connect(to: port.number)
    try await plain.send(Self.get)
    _ = await plain.text(upTo: "GET /a?b 0")
    await port.close(after: .seconds(600))
    let answer = await stream.answer()
    #expect(answer.status == 14)
    #expect(answer.message == "The server is shutting down.")
    #expect(await plain.text() == "")
  }

  @Test func closingDoesNotWaitForever() async throws {
    let begun = Signal()
    let methods = [
      "/t.T/Wait": RPCMethod(.one) { _ in
        begun.raise()
        await TestPort.waitForever()
      }
    ]
    let port = try await ServerPort.open(
      at: .loopback, number: 0, methods: { methods[$0] },
      answers: HTTPAnswers(answer: Self.mirror))
    let client = try await ServerClient.connect(to: port.number)
    let stream = try await client.openCall("/t.T/Wait")
    try await stream.send(message: [], isLast: true)
    await begun.wait()
    await port.close(after: .milliseconds(1))
    #expect(await stream.answer().status == nil)
  }
}
