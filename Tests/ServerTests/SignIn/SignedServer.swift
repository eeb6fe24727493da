import Foundation
import HearthFirestoreJSON
import HearthServer
import ServerTestClient
import Synchronization
import TestSupport
import Testing

/// A server with signed tokens, and rules by which each user has a document of its own.
struct SignedServer {
  static let token = "administrators-token-0123"
  static let administrator = "Bearer \(token)"
  private static let rules = """
    rules_version = '2';
    service cloud.firestore { match /databases/{db}/documents {
      match /users/{uid} { allow read, write: if request.auth.uid == uid; }
      match /open/{id} { allow read; }
    } }
    """

  let folder: TemporaryFolder
  let clock = MovedClock()
  let pauses = Pauses()
  var server: HearthServer

  init(checksRevocation: Bool = false) throws {
    folder = try TemporaryFolder()
    let rulesFile = "\(folder.path)/firestore.rules"
    try Data(Self.rules.utf8).write(to: URL(filePath: rulesFile))
    server = HearthServer(databases: .inMemory)
    server.databases.project = RulesClient.project
    server.rulesFile = rulesFile
    server.tokens = [Self.token]
    server.signing = TokenSigning(keyFile: "\(folder.path)/keys.pem")
    server.signing?.checksRevocation = checksRevocation
    server.signInTime = clock.now
    server.signInPause = pauses.pause
  }

  func with(_ body: (RulesClient, TestServer) async throws -> Void) async throws {
    try await RulesClient.with(server, body)
  }
}

/// The waits of a server for the ends of tokens, which a test ends.
final class Pauses: Sendable {
  private let (begins, begin) = AsyncStream.makeStream(of: Void.self)
  private let (ends, end) = AsyncStream.makeStream(of: Void.self)

  @Sendable func pause(_ duration: Duration) async throws {
    begin.yield()
    for await _ in ends { return }
    throw CancellationError()
  }

  /// Returns when the server waits.
  func untilBegun() async { for await _ in begins { return } }

  func endOne() { end.yield() }
}

extension RulesClient {
  /// Makes a call of sign-in.
  func signIn(_ name: String, _ body: String = "{}") async throws -> JSONAnswer {
    try await send("POST", "/v1/accounts:\(name)?key=k", body)
  }

  /// Signs a new anonymous user in.
  func newUser() async throws -> (id: String, bearer: String) {
    let answer = try await signIn("signUp")
    return (answer["localId"]?.string ?? "", "Bearer \(answer["idToken"]?.string ?? "")")
  }
}
