import Hearth
import HearthAccounts
import HearthFirestoreJSON
import HearthTokens
import Synchronization
import Testing

/// Nothing in a server for strangers tells which addresses have an account.
@Suite struct EnumerationTests {
  private static let ring = (try? KeyRing.newKey()).flatMap { try? KeyRing(pem: $0) }
  private static let password = "ada@example.com"
  private static let provider = "bob@example.com"
  private static let unknown = "nobody@example.com"

  private let accounts: TestAccounts
  private let count = HashCount()

  /// Makes an account with a password, and one without.
  init() async throws {
    var mode = AccountMode.signed(try #require(Self.ring), standing: TestAccounts.standing)
    mode.delivery = CodeOutbox()
    accounts = try await TestAccounts(mode, noteHash: count.add)
    _ = await accounts.signUp(Self.password)
    await accounts.administer("", [("email", .string(Self.provider))])
  }

  @Test func eachFailureOfASignInHasTheSameTextAndCost() async throws {
    for email in [Self.password, Self.provider, Self.unknown] {
      let before = count.value
      let answer = await accounts.signIn(email, "wrong12")
      #expect(answer.refusal == "INVALID_LOGIN_CREDENTIALS")
      #expect(count.value == before + 1, "\(email)")
    }
    #expect(await accounts.signIn(Self.password).status == 200)
  }

  @Test func aDisabledUserIsToldOnlyAfterThePassword() async throws {
    let id =
      await accounts.administer(":lookup", [("email", .string(Self.password))])
      .user["localId"] ?? .null
    await accounts.administer(":update", [("localId", id), ("disableUser", true)])
    #expect(
      await accounts.signIn(Self.password, "wrong12").refusal == "INVALID_LOGIN_CREDENTIALS")
    #expect(await accounts.signIn(Self.password).refusal == "USER_DISABLED")
  }

  @Test func theWaysOfSigningInAreNotTold() async throws {
    for email in [Self.password, Self.provider, Self.unknown] {
      let answer = await accounts.call(
        "createAuthUri",
        [("identifier", .string(email)), ("continueUri", "http://localhost"), ("sessionId", "s")])
      #expect(
        answer.json.line
          == #"{"kind":"identitytoolkit#CreateAuthUriResponse","sessionId":"s"}"#)
    }
  }

  /// The answer is the same, and so are the writes that it waits for.
  @Test func aCodeIsMadeForAnUnknownAddressToo() async throws {
    for email in [Self.password, Self.unknown] {
      let before = try await codeCount()
      let answer = await accounts.call(
        "sendOobCode", [("requestType", "PASSWORD_RESET"), ("email", .string(email))])
      #expect(answer.status == 200)
      #expect(
        answer.json.line.replacing(email, with: "E")
          == #"{"kind":"identitytoolkit#GetOobConfirmationCodeResponse","email":"E"}"#)
      #expect(try await codeCount() == before + 1)
    }
  }

  private func codeCount() async throws -> Int {
    try await accounts.database.collection("projects/=demo-auth/codes").count()
  }

  @Test func aChangedAddressNeedsACode() async throws {
    let token = JSONValue.string(await accounts.signIn(Self.password).text("idToken"))
    for email in [Self.provider, Self.unknown] {
      let answer = await accounts.call("update", [("idToken", token), ("email", .string(email))])
      #expect(answer.refusal?.hasPrefix("OPERATION_NOT_ALLOWED : ") == true)
    }
  }

  @Test func theEmulatorTellsAsMuchAsTheOfficialOne() async throws {
    let emulator = try await TestAccounts(noteHash: count.add)
    let before = count.value
    #expect(await emulator.signIn(Self.unknown).refusal == "EMAIL_NOT_FOUND")
    #expect(count.value == before + 1)
  }
}

/// The number of hashes that were made.
private final class HashCount: Sendable {
  private let count = Mutex(0)

  var value: Int { count.withLock { $0 } }

  @Sendable func add() { count.withLock { $0 += 1 } }
}
