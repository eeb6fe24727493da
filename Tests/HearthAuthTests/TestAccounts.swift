import Dispatch
import Foundation
import Hearth
import HearthAccounts
import HearthAuth
import HearthFirestoreJSON
import HearthServer
import HearthTokens
import ServerTestClient
import Synchronization
import Testing

/// The place of the accounts in a test.
enum Place: CaseIterable, Sendable {
  case embedded, server
}

/// Accounts that a test makes, with a clock that it moves.
final class TestAccounts: Sendable {
  let backend: CountedBackend
  let clock = MovedClock()

  private init(_ backend: any AccountsBackend) {
    self.backend = CountedBackend(backend)
  }

  /// Runs `body` with new accounts.
  static func with<Result>(
    _ place: Place = .embedded, _ body: (TestAccounts) async throws -> Result
  ) async throws -> Result {
    switch place {
    case .embedded:
      var mode = AccountMode.unsigned()
      // Hashes that cost nothing.
      mode.passwords = PasswordHasher(
        .scrypt(logCost: 1, blockSize: 1, parallelism: 1, byteCount: 32))
      let database = try Database.inMemory()
      let accounts = TestAccounts(
        EmbeddedAccounts(database, project: "demo-auth", mode: mode))
      let result = try await body(accounts)
      try await database.close()
      return result
    case .server: return try await Turns.run { try await serve(body) }
    }
  }

  private static func serve<Result>(
    _ body: (TestAccounts) async throws -> Result
  ) async throws -> Result {
    var server = HearthServer(databases: .inMemory)
    server.databases.project = "demo-auth"
    server.grace = .zero
    let running = try await server.start(port: 0)
    do {
      let address = "http://127.0.0.1:\(running.port)"
      let result = try await body(
        TestAccounts(ServerAccounts(address, key: "key", project: "demo-auth")))
      await running.stop()
      return result
    } catch {
      await running.stop()
      throw error
    }
  }

  /// Makes a program's sign-in to the accounts, whose handlers are called on a queue of its own.
  func auth(sessionFile: String? = nil) throws -> Auth {
    let auth = try Auth(backend: backend, sessionFile: sessionFile, now: clock.now)
    auth.dispatchQueue = DispatchQueue(label: "handlers")
    return auth
  }

  /// Makes a call of an administrator on accounts.
  func administer(_ name: String, _ members: [(String, JSONValue)]) async throws {
    let answer = try await backend.answer(
      AccountsRequest(
        target: "/v1/projects/demo-auth/accounts:\(name)", json: .object(members),
        authorization: "Bearer owner"))
    try #require(answer.status == 200)
  }
}

/// Accounts whose calls are counted, and that can be out of reach.
final class CountedBackend: AccountsBackend {
  private struct State {
    var targets: [String] = []
    var isReachable = true
  }

  private let backend: any AccountsBackend
  private let state = Mutex(State())

  init(_ backend: any AccountsBackend) { self.backend = backend }

  var name: String { backend.name }
  var key: String { backend.key }
  var project: String? { backend.project }

  var isReachable: Bool {
    get { state.withLock { $0.isReachable } }
    set { state.withLock { $0.isReachable = newValue } }
  }

  /// Returns the number of calls whose path contains a text.
  func count(of text: String) -> Int {
    state.withLock { state in state.targets.count { $0.contains(text) } }
  }

  func answer(
    _ request: AccountsRequest
  ) async throws(AuthFailure) -> (status: Int, json: JSONValue) {
    let isReachable = state.withLock { state in
      state.targets.append(request.target)
      return state.isReachable
    }
    guard isReachable else { throw AuthFailure(.networkError) }
    return try await backend.answer(request)
  }
}

/// The clock of a program, ahead of the real one by the time that a test adds.
final class MovedClock: Sendable {
  private let lead = Mutex(0.0)

  @Sendable func now() -> Date { Date().addingTimeInterval(lead.withLock { $0 }) }

  func move(seconds: Double) { lead.withLock { $0 += seconds } }
}

/// Tokens of providers, as an emulator takes them.
enum Token {
  static func apple(_ subject: String, email: String? = nil, isVerified: Bool = true) -> String {
    var claims = #"{"sub":"\#(subject)""#
    if let email { claims += #","email":"\#(email)","email_verified":\#(isVerified)"# }
    return claims + "}"
  }

  static func credential(
    _ subject: String, email: String? = nil, isVerified: Bool = true
  ) -> AuthCredential {
    OAuthProvider.credential(
      withProviderID: "apple.com",
      idToken: apple(subject, email: email, isVerified: isVerified), rawNonce: "nonce")
  }
}

/// Returns the code of the error that `body` throws; `nil` if it throws none.
func code(_ body: () async throws -> Void) async -> AuthErrorCode? {
  do {
    try await body()
    return nil
  } catch {
    return AuthErrorCode(_bridgedNSError: error as NSError)
  }
}

/// Returns the error that `body` throws.
func failure(_ body: () async throws -> Void) async throws -> NSError {
  do {
    try await body()
  } catch {
    return error as NSError
  }
  throw NSError(domain: "no error", code: 0)
}
