import HearthServerTransport
import ServerTestClient
import Testing

@Suite(.timeLimit(.minutes(5))) struct HTTPSClientTests {
  /// Runs `body` with a port that speaks TLS, and the path of its certificate.
  private func with(
    answer: @escaping HTTPAnswering, _ body: (Int, _ certificate: String) async throws -> Void
  ) async throws {
    let certificate = try TestCertificate()
    defer { certificate.remove() }
    let proof = try PortCertificate(chain: certificate.chain, key: certificate.key)
    try await TestPort.with(certificate: proof, answer: answer) { port in
      try await body(port.number, certificate.chain)
    }
  }

  @Test func aPageIsFetchedWithItsHeaders() async throws {
    try await with { request, _ in
      let host = request.header("host") ?? ""
      return HTTPResponse(
        200, headers: [("Cache-Control", "max-age=60")],
        body: Array("\(request.method) \(request.target) \(host)".utf8))
    } _: { port, certificate in
      let client = try HTTPSClient(trusting: certificate)
      // By an address of the certificate, and by the name, which may stand for several addresses.
      for host in ["127.0.0.1", "localhost"] {
        let page = try await client.get("/keys?a=b", from: host, port: port)
        #expect(page.status == 200)
        #expect(page.body == Array("GET /keys?a=b \(host):\(port)".utf8))
        #expect(page.headers.contains { $0.name == "cache-control" && $0.value == "max-age=60" })
      }
    }
  }

  @Test func aRedirectionIsNotFollowed() async throws {
    try await with { _, _ in
      HTTPResponse(302, headers: [("location", "https://localhost/")])
    } _: { port, certificate in
      let client = try HTTPSClient(trusting: certificate)
      let page = try await client.get("/", from: "localhost", port: port)
      #expect(page.status == 302)
    }
  }

  @Test func anUnknownCertificateIsRefused() async throws {
    try await with { _, _ in
      HTTPResponse(200)
    } _: { port, _ in
      let client = try HTTPSClient()
      await #expect(throws: FetchFailure.self) {
        _ = try await client.get("/", from: "localhost", port: port)
      }
    }
  }

  @Test func aLongAnswerIsGivenUp() async throws {
    try await with { _, _ in
      HTTPResponse(200, body: [UInt8](repeating: 0, count: 101))
    } _: { port, certificate in
      for (limit, reason) in [(101, nil), (100, "the answer has more than 100 bytes")] {
        let client = try HTTPSClient(trusting: certificate, byteLimit: limit)
        var failure: String?
        do throws(FetchFailure) {
          _ = try await client.get("/", from: "localhost", port: port)
        } catch {
          failure = error.description
        }
        #expect(failure == reason)
      }
    }
  }

  @Test func aSilentServerIsGivenUp() async throws {
    try await with { _, _ in
      await TestPort.waitForever()
      return HTTPResponse(200)
    } _: { port, certificate in
      let client = try HTTPSClient(trusting: certificate, timeLimit: .milliseconds(100))
      let failure = await #expect(throws: FetchFailure.self) {
        _ = try await client.get("/", from: "localhost", port: port)
      }
      #expect(failure?.description == "there is no answer within 0.1 seconds")
    }
  }

  @Test func aPortThatIsClosedIsTold() async throws {
    // The number of a port that was closed just now.
    var closed = 0
    try await TestPort.with { closed = $0.number }
    let (client, number) = (try HTTPSClient(), closed)
    let failure = await #expect(throws: FetchFailure.self) {
      _ = try await client.get("/", from: "127.0.0.1", port: number)
    }
    let text = failure?.description ?? ""
    #expect(text.hasPrefix("there is no connection to 127.0.0.1: "), "\(text)")
    #expect(text.contains("refused"), "\(text)")
  }

  @Test func aServerWithoutTLSIsRefused() async throws {
    try await TestPort.with { port in
      let client = try HTTPSClient()
      await #expect(throws: FetchFailure.self) {
        _ = try await client.get("/", from: "127.0.0.1", port: port.number)
      }
    }
  }
}
