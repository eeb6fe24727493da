import Hearth
import HearthAccounts
import HearthDocumentModel
package import HearthFirestoreJSON
import HearthTokens
import Synchronization
import Testing

/// Accounts in memory, whose time a test moves, and the requests of a client and an administrator.
struct TestAccounts {
  let database: Database
  let service: AccountService
  private let clock: MovedTime

  /// The header of administrators where `Bearer owner` means no one.
  static let administrator = "Bearer administrators-token"

  static let standing: @Sendable (String?) -> CallerStanding = {
    guard let authorization = $0 else { return .client }
    return authorization == administrator ? .administrator : .unknown
  }

  private let authorization: String

  /// - Parameter noteHash: hears of each hash of a password.
  init(
    _ mode: AccountMode = .unsigned(), noteHash: @escaping @Sendable () -> Void = {}
  ) async throws {
    var mode = mode
    authorization = mode.outbox == nil ? TestAccounts.administrator : "Bearer owner"
    // Hashes that cost nothing, and any number of which may wait.
    mode.passwords = PasswordHasher(
      .scrypt(logCost: 1, blockSize: 1, parallelism: 1, byteCount: 32), waitingLimit: 10_000,
      noteHash: noteHash)
    database = try Database.inMemory()
    let clock = MovedTime()
    self.clock = clock
    service = try await AccountService(database, project: "demo-auth", mode: mode, now: clock.now)
  }

  func move(seconds: Int64) { clock.move(seconds: seconds) }

  /// Makes a client's call on `accounts`.
  @discardableResult
  func call(_ name: String, _ members: [(String, JSONValue)]) async -> AccountAnswer {
    await answer(AccountRequest("POST", "/v1/accounts:\(name)?key=k", json: .object(members)))
  }

  /// Makes an administrator's call on `accounts` of the project.
  @discardableResult
  func administer(_ name: String, _ members: [(String, JSONValue)]) async -> AccountAnswer {
    await answer(
      AccountRequest(
        "POST", "/v1/projects/demo-auth/accounts\(name)", authorization: authorization,
        json: .object(members)))
  }

  func refresh(_ token: String) async -> AccountAnswer {
    await answer(
      AccountRequest(
        "POST", "/v1/token?key=k",
        json: ["grantType": "refresh_token", "refreshToken": .string(token)]))
  }

  func answer(_ request: AccountRequest) async -> AccountAnswer {
    if let answer = await service.answer(request) { return answer }
    Issue.record("\(request.target) is no address of sign-in")
    return AccountAnswer(404, .null)
  }

  /// Signs a user up by e-mail.
  func signUp(_ email: String, _ password: String = "secret1") async -> AccountAnswer {
    await call("signUp", [("email", .string(email)), ("password", .string(password))])
  }

  func signIn(_ email: String, _ password: String = "secret1") async -> AccountAnswer {
    await call("signInWithPassword", [("email", .string(email)), ("password", .string(password))])
  }

  /// Signs in by a fake token of Apple's.
  @discardableResult
  func signInWithApple(
    _ subject: String, email: String? = nil, verified: Bool = true,
    _ members: [(String, JSONValue)] = []
  ) async -> AccountAnswer {
    var claims: [(String, JSONValue)] = [("sub", .string(subject))]
    if let email { claims += [("email", .string(email)), ("email_verified", .boolean(verified))] }
    let token = JSONValue.object(claims).line.replacing("\"", with: "%22")
    return await call(
      "signInWithIdp",
      [
        ("requestUri", "http://localhost"),
        ("postBody", .string("providerId=apple.com&id_token=\(token)")),
        ("returnIdpCredential", true),
      ] + members)
  }

  /// Returns the latest code for an address.
  func code(for email: String) async -> String {
    let answer = await answer(AccountRequest("GET", "/emulator/v1/projects/demo-auth/oobCodes"))
    let codes = answer.json["oobCodes"]?.elements ?? []
    return codes.last { $0["email"]?.string == email }?["oobCode"]?.string ?? ""
  }
}

/// A clock that a test moves on.
private final class MovedTime: Sendable {
  private let milliseconds = Mutex(Int64(1_800_000_000_123))

  @Sendable func now() -> Int64 { milliseconds.withLock { $0 } }

  func move(seconds: Int64) { milliseconds.withLock { $0 += seconds * 1000 } }
}

extension AccountAnswer {
  /// The message of a refusal; `nil` for none.
  var refusal: String? { json["error"]?["message"]?.string }

  func text(_ name: String) -> String { json[name]?.string ?? "" }

  /// The only account of a look-up.
  var user: JSONValue { json["users"]?.elements.first ?? .null }
}

extension JSONValue {
  /// The claims of a token.
  var claims: JSONValue {
    let parts = (string ?? "").split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let bytes = Base64.bytes(String(parts[1])) else { return .null }
    return (try? JSONValue(parsing: bytes)) ?? .null
  }
}

extension JSONValue: ExpressibleByStringLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByDictionaryLiteral
{
  package init(stringLiteral value: String) { self = .string(value) }
  package init(booleanLiteral value: Bool) { self = .boolean(value) }
  package init(dictionaryLiteral elements: (String, JSONValue)...) { self = .object(elements) }
}
