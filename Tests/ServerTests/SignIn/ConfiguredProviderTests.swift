import Foundation
import HearthFirestoreJSON
import HearthServer
import HearthServerTransport
import HearthTokens
import ServerTestClient
import Synchronization
import TestSupport
import Testing

/// Providers whose keys a server gets from a file, or from another server.
@Suite(.timeLimit(.minutes(5))) struct ConfiguredProviderTests {
  private static let ring = (try? KeyRing.newKey()).flatMap { try? KeyRing(pem: $0) }

  private let ring: KeyRing
  private var signed: SignedServer

  init() throws {
    ring = try #require(Self.ring)
    signed = try SignedServer()
    signed.server.signInFile = "\(signed.folder.path)/auth.json"
  }

  private func configure(keys: String) throws {
    let text = """
      {"providers": {"oidc.work": {
        "audiences": ["work-app"], "issuers": ["https://work.example"], "keys": "\(keys)"
      }}}
      """
    try Data(text.utf8).write(to: URL(filePath: "\(signed.folder.path)/auth.json"))
  }

  private func body(_ audience: String = "work-app") throws -> String {
    let token = try SignedTokens(ring).token([
      ("iss", .string("https://work.example")), ("aud", .string(audience)), ("sub", .string("ada")),
      ("iat", .integer(1_800_000_000)), ("exp", .integer(1_800_000_600)),
    ])
    return "{\"requestUri\": \"http://localhost\", "
      + "\"postBody\": \"providerId=oidc.work&id_token=\(token)\"}"
  }

  @Test func keysComeFromAFileBesideTheConfiguration() async throws {
    try Data(try ring.keySet().text).write(to: URL(filePath: "\(signed.folder.path)/work.json"))
    try configure(keys: "work.json")
    try await signed.with { client, _ in
      let good = try await client.signIn("signInWithIdp", try body())
      #expect(good.status == 200 && good["federatedId"]?.string == "ada")
      let bearer = "Bearer \(good["idToken"]?.string ?? "")"
      #expect(try await client.get("users/\(good["localId"]?.string ?? "")", as: bearer) == 404)
      let other = try await client.signIn("signInWithIdp", try body("other-app"))
      #expect(other.status == 400 && other.message.hasPrefix("INVALID_IDP_RESPONSE : "))
    }
  }

  @Test func keysComeFromAnotherServer() async throws {
    let certificate = try TestCertificate()
    defer { certificate.remove() }
    let answers = Answers(HTTPResponse(200, body: try ring.keySet().text))
    let port = try await ServerPort.open(
      at: PortAddresses(all: ["127.0.0.1"]), number: 0,
      certificate: try PortCertificate(chain: certificate.chain, key: certificate.key),
      methods: { _ in nil }, answers: HTTPAnswers { request, _ in answers.answer(request) })
    try configure(keys: "https://127.0.0.1:\(port.number)/keys?v=1")
    let events = Mutex<[String]>([])
    var server = signed.server
    server.trustedCertificates = certificate.chain
    server.note = { event in
      if case .providerKeysUnavailable(let provider, let reason) = event {
        events.withLock { $0.append("\(provider): \(reason)") }
      }
    }
    try await RulesClient.with(server) { client, _ in
      let first = try await client.signIn("signInWithIdp", try body())
      #expect(first.status == 200)
      #expect(answers.targets == ["/keys?v=1"])
      answers.set(HTTPResponse(500))
      // The keys of before are good on.
      signed.clock.move(seconds: 300)
      let second = try await client.signIn("signInWithIdp", try body())
      #expect(second.status == 200)
    }
    let address = "https://127.0.0.1:\(port.number)/keys?v=1"
    await port.close(after: .zero)
    #expect(answers.targets.count == 2)
    #expect(
      events.withLock { $0 } == ["oidc.work: \(address) is answered with the status 500"])
  }

  @Test func theEmulatorTakesEachCredential() async throws {
    try Data(try ring.keySet().text).write(to: URL(filePath: "\(signed.folder.path)/work.json"))
    try configure(keys: "work.json")
    var server = signed.server
    server.signing = nil
    server.tokens = []
    try await RulesClient.with(server) { client, _ in
      let answer = try await client.signIn(
        "signInWithIdp",
        #"{"requestUri": "http://localhost", "#
          + #""postBody": "providerId=apple.com&id_token=%7B%22sub%22:%22ada%22%7D"}"#)
      #expect(answer.status == 200)
    }
  }
}

/// The answers of a server that publishes keys, for five minutes each.
private final class Answers: Sendable {
  private let state: Mutex<(answer: HTTPResponse, targets: [String])>

  init(_ answer: HTTPResponse) { state = Mutex((answer, [])) }

  var targets: [String] { state.withLock { $0.targets } }

  func set(_ answer: HTTPResponse) { state.withLock { $0.answer = answer } }

  func answer(_ request: HTTPRequest) -> HTTPResponse {
    state.withLock { state in
      state.targets.append(request.target)
      var answer = state.answer
      answer.headers.append(("cache-control", "public, max-age=300"))
      return answer
    }
  }
}
