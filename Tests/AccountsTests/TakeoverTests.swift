import HearthAccounts
import HearthFirestoreJSON
import Testing

/// Attempts to get an account that isn't one's own, or to keep one that wasn't.
@Suite struct TakeoverTests {
  private static let ada = JSONValue.string("ada@example.com")
  private static let thief = JSONValue.string("thief@example.com")

  private let accounts: TestAccounts

  init() async throws {
    var mode = AccountMode.unsigned()
    mode.recentSignInTime = 300
    accounts = try await TestAccounts(mode)
  }

  /// Sends a link for a sign-in, and returns its code.
  private func linkCode(for email: JSONValue) async -> JSONValue {
    await accounts.call("sendOobCode", [("requestType", "EMAIL_SIGNIN"), ("email", email)])
    return .string(await accounts.code(for: email.string ?? ""))
  }

  @Test func anOldTokenGivesNoOtherAddress() async throws {
    let user = await accounts.signUp("ada@example.com")
    accounts.move(seconds: 301)
    let refreshed = await accounts.refresh(user.text("refreshToken"))
    let token = ("idToken", JSONValue.string(refreshed.text("id_token")))
    let requests: [(String, [(String, JSONValue)])] = [
      ("signUp", [("email", Self.thief), ("password", "secret2")]),
      ("signUp", [("email", Self.ada), ("password", "secret2")]),
      ("sendOobCode", [("requestType", "VERIFY_AND_CHANGE_EMAIL"), ("newEmail", Self.thief)]),
      ("update", [("deleteAttribute", .array(["PASSWORD"]))]),
      ("update", [("deleteAttribute", .array(["EMAIL"]))]),
      ("update", [("deleteProvider", .array(["password"]))]),
      (
        "signInWithEmailLink",
        [("email", Self.thief), ("oobCode", await linkCode(for: Self.thief))]
      ),
    ]
    for (name, members) in requests {
      let answer = await accounts.call(name, [token] + members)
      #expect(answer.refusal == "CREDENTIAL_TOO_OLD_LOGIN_AGAIN", "\(name) \(members)")
    }
    #expect(await accounts.signIn("ada@example.com").status == 200)
  }

  @Test func anAnonymousUserMayGetAnAddressAtAnyTime() async throws {
    let user = await accounts.call("signUp", [])
    accounts.move(seconds: 301)
    let refreshed = await accounts.refresh(user.text("refreshToken"))
    let answer = await accounts.call(
      "signUp",
      [
        ("idToken", .string(refreshed.text("id_token"))), ("email", Self.ada),
        ("password", "secret1"),
      ])
    #expect(answer.status == 200 && answer.text("localId") == user.text("localId"))
  }

  /// The owner of the earlier address gets a code that brings it back.
  @Test(arguments: ["signUp", "signInWithEmailLink", "oobCode"])
  func anotherAddressEndsTheSignInsOfBefore(way: String) async throws {
    let user = await accounts.signUp("ada@example.com")
    accounts.move(seconds: 2)
    let token = ("idToken", JSONValue.string(user.text("idToken")))
    switch way {
    case "signUp":
      await accounts.call("signUp", [token, ("email", Self.thief), ("password", "secret2")])
    case "signInWithEmailLink":
      let code = await linkCode(for: Self.thief)
      await accounts.call(way, [token, ("email", Self.thief), ("oobCode", code)])
    default:
      await accounts.call(
        "sendOobCode",
        [token, ("requestType", "VERIFY_AND_CHANGE_EMAIL"), ("newEmail", Self.thief)])
      let code = JSONValue.string(await accounts.code(for: "ada@example.com"))
      await accounts.call("update", [("oobCode", code)])
    }
    #expect(await accounts.refresh(user.text("refreshToken")).refusal == "TOKEN_EXPIRED")
    let recovery = JSONValue.string(await accounts.code(for: "ada@example.com"))
    let back = await accounts.call("update", [("oobCode", recovery)])
    #expect(back.text("email") == "ada@example.com", "\(back)")
  }

  /// A stranger has made the account of an address that isn't theirs, and linked a provider.
  @Test(arguments: ["link", "reset"])
  func theOwnerOfAnAddressKeepsNothingOfAStranger(way: String) async throws {
    let stranger = await accounts.signUp("ada@example.com")
    let linked = await accounts.signInWithApple(
      "apple-stranger", [("idToken", .string(stranger.text("idToken")))])
    #expect(linked.text("localId") == stranger.text("localId"))
    if way == "link" {
      let code = await linkCode(for: Self.ada)
      let owner = await accounts.call(
        "signInWithEmailLink", [("email", Self.ada), ("oobCode", code)])
      #expect(owner.text("localId") == stranger.text("localId"))
    } else {
      await accounts.call("sendOobCode", [("requestType", "PASSWORD_RESET"), ("email", Self.ada)])
      let code = JSONValue.string(await accounts.code(for: "ada@example.com"))
      await accounts.call("resetPassword", [("oobCode", code), ("newPassword", "secret2")])
      #expect(await accounts.signIn("ada@example.com", "secret2").status == 200)
    }
    let again = await accounts.signInWithApple("apple-stranger")
    #expect(again.status == 200 && again.text("localId") != stranger.text("localId"))
    #expect(await accounts.signIn("ada@example.com").status == 400)
  }

  @Test func aPendingTokenIsNotRenewedByItsUse() async throws {
    var answer = await accounts.signInWithApple("apple-ada")
    for _ in 0..<3 {
      accounts.move(seconds: 199)
      answer = await accounts.call(
        "signInWithIdp", [("pendingToken", .string(answer.text("pendingToken")))])
      #expect(answer.status == 200)
    }
    accounts.move(seconds: 3)
    let late = await accounts.call(
      "signInWithIdp", [("pendingToken", .string(answer.text("pendingToken")))])
    #expect(late.refusal == "INVALID_PENDING_TOKEN")
  }

  @Test func aPendingTokenEndsWithTheSignInsOfItsAccount() async throws {
    let user = await accounts.signInWithApple("apple-ada")
    accounts.move(seconds: 2)
    await accounts.administer(
      ":update", [("localId", .string(user.text("localId"))), ("password", "secret2")])
    let answer = await accounts.call(
      "signInWithIdp", [("pendingToken", .string(user.text("pendingToken")))])
    #expect(answer.refusal == "INVALID_PENDING_TOKEN")
    #expect(await accounts.signInWithApple("apple-ada").status == 200)
  }
}
