import HearthAccounts
import HearthDocumentModel
import HearthFirestoreJSON
import HearthTokens
import TestSupport
import Testing

/// The limits of attempts at a server with signed tokens, by a clock that the tests move.
@Suite struct LimitTests {
  private static let ring = (try? KeyRing.newKey()).flatMap { try? KeyRing(pem: $0) }
  private static let tooMany = "TOO_MANY_ATTEMPTS_TRY_LATER"
  private static let ada = "ada@example.com"

  private let limits = AttemptLimits(countLimit: 100)
  private let outbox = CodeOutbox()
  private let accounts: TestAccounts

  init() async throws {
    var mode = AccountMode.signed(try #require(Self.ring), standing: TestAccounts.standing)
    mode.limits = limits
    mode.delivery = outbox
    accounts = try await TestAccounts(mode)
  }

  private func call(
    _ name: String, _ members: [(String, JSONValue)], from address: String? = "192.0.2.1"
  ) async -> AccountAnswer {
    var request = AccountRequest("POST", "/v1/accounts:\(name)?key=k", json: .object(members))
    request.clientAddress = address
    return await accounts.answer(request)
  }

  private func signIn(
    _ password: String, _ email: String = ada, from address: String? = "192.0.2.1"
  ) async -> String? {
    let members = [("email", JSONValue.string(email)), ("password", JSONValue.string(password))]
    let refusal = await call("signInWithPassword", members, from: address).refusal
    return refusal.map { String($0.prefix { $0 != " " }) }
  }

  private func ask(_ email: String = ada, from address: String? = "192.0.2.1") async -> String? {
    await call(
      "sendOobCode", [("requestType", "PASSWORD_RESET"), ("email", .string(email))], from: address
    ).refusal
  }

  // MARK: Sign-ups

  @Test func aClientMakesAHundredAccountsAndThenOneEach36Seconds() async {
    for _ in 0..<100 { #expect(await call("signUp", []).status == 200) }
    #expect(await call("signUp", []).refusal == Self.tooMany)
    #expect(await call("signUp", [], from: "192.0.2.2").status == 200)
    accounts.move(seconds: 35)
    #expect(await call("signUp", []).refusal == Self.tooMany)
    accounts.move(seconds: 1)
    #expect(await call("signUp", []).status == 200)
    #expect(await call("signUp", []).refusal == Self.tooMany)
    accounts.move(seconds: 3600)
    for _ in 0..<100 { #expect(await call("signUp", []).status == 200) }
    #expect(await call("signUp", []).refusal == Self.tooMany)
  }

  @Test(arguments: [
    ("2001:db8::ffff", false), ("2001:db8:0:0:1:2:3:4", false), ("2001:db8:0:1::1", true),
    ("2001:db9::1", true),
  ])
  func aNetworkOfIPv6IsOneClient(address: String, isOther: Bool) async {
    for number in 0..<100 {
      let status = await call("signUp", [], from: "2001:db8::\(number)").status
      #expect(status == 200)
    }
    #expect(await call("signUp", [], from: address).refusal == (isOther ? nil : Self.tooMany))
  }

  @Test func anAddressOfIPv4InIPv6IsThatOfIPv4() async {
    for _ in 0..<100 { _ = await call("signUp", [], from: "::ffff:192.0.2.1") }
    #expect(await call("signUp", []).refusal == Self.tooMany)
    #expect(await call("signUp", [], from: "::ffff:192.0.2.2").status == 200)
  }

  // MARK: Sign-ins

  @Test func tenWrongPasswordsShutAnAccountForAWhile() async {
    _ = await accounts.signUp(Self.ada)
    _ = await accounts.signUp("bob@example.com")
    for number in 0..<10 {
      #expect(await signIn("wrong12", from: "192.0.2.\(number)") == "INVALID_LOGIN_CREDENTIALS")
    }
    // The right one helps no more, from any address.
    let answer = await call(
      "signInWithPassword", [("email", .string(Self.ada)), ("password", "secret1")],
      from: "198.51.100.1")
    #expect(answer.refusal?.hasPrefix("\(Self.tooMany) : Access to this account has been") == true)
    #expect(await signIn("secret1", "bob@example.com") == nil)
    accounts.move(seconds: 360)
    for _ in 0..<20 { #expect(await signIn("secret1") == nil) }
    #expect(await signIn("wrong12") == "INVALID_LOGIN_CREDENTIALS")
    #expect(await signIn("secret1") == Self.tooMany)
  }

  @Test func aResetOpensTheAccount() async {
    _ = await accounts.signUp(Self.ada)
    for _ in 0..<10 { _ = await signIn("wrong12") }
    #expect(await signIn("secret1") == Self.tooMany)
    #expect(await ask() == nil)
    let reset = await call(
      "resetPassword",
      [("oobCode", .string(outbox.latest?.code ?? "")), ("newPassword", "secret2")])
    #expect(reset.status == 200)
    #expect(await signIn("secret2") == nil)
  }

  /// A refusal would tell which addresses have an account.
  @Test func anUnknownAddressIsShutAsWell() async {
    for _ in 0..<10 { #expect(await signIn("secret1") == "INVALID_LOGIN_CREDENTIALS") }
    #expect(await signIn("secret1") == Self.tooMany)
    #expect(await signIn("secret1", Self.ada.uppercased()) == Self.tooMany)
  }

  @Test func attemptsAtTheSameTimeGainNothing() async {
    _ = await accounts.signUp(Self.ada)
    let refusals = await withTaskGroup(of: String?.self) { group in
      for number in 0..<60 {
        group.addTask { await signIn("wrong12", from: "192.0.2.\(number)") }
      }
      return await group.reduce(into: [:]) { $0[$1 ?? "", default: 0] += 1 }
    }
    #expect(refusals == ["INVALID_LOGIN_CREDENTIALS": 10, Self.tooMany: 50])
  }

  @Test func aClientTriesAHundredAccountsAndCodes() async {
    for number in 0..<50 { _ = await signIn("secret1", "ada\(number)@example.com") }
    for _ in 0..<25 {
      #expect(await call("resetPassword", [("oobCode", "x")]).refusal == "INVALID_OOB_CODE")
      #expect(await call("update", [("oobCode", "x")]).refusal == "INVALID_OOB_CODE")
    }
    for name in ["resetPassword", "update"] {
      let refusal = await call(name, [("oobCode", "x")]).refusal ?? ""
      #expect(refusal.hasPrefix(Self.tooMany))
    }
    #expect(await signIn("secret1") == Self.tooMany)
    let custom = await call("signInWithCustomToken", [("token", "x")]).refusal ?? ""
    #expect(custom.hasPrefix(Self.tooMany))
    #expect(await signIn("secret1", from: "192.0.2.2") == "INVALID_LOGIN_CREDENTIALS")
  }

  // MARK: Codes and changes

  @Test func anAddressGetsFiveMessagesAndThenOneEach12Minutes() async {
    _ = await accounts.signUp(Self.ada)
    for number in 0..<5 { #expect(await ask(from: "192.0.2.\(number)") == nil) }
    #expect(await ask(from: "192.0.2.9") == Self.tooMany)
    accounts.move(seconds: 720)
    #expect(await ask() == nil)
    #expect(await ask() == Self.tooMany)
  }

  @Test func aClientCausesFiftyMessages() async {
    for number in 0..<50 {
      #expect(await ask("ada\(number)@example.com") == nil)
    }
    #expect(await ask() == Self.tooMany)
    #expect(await ask(from: "192.0.2.2") == nil)
  }

  @Test func aUserChangesItsPasswordTenTimes() async {
    var token = JSONValue.string(await accounts.signUp(Self.ada).text("idToken"))
    for number in 0..<10 {
      let answer = await call(
        "update", [("idToken", token), ("password", .string("secret\(number)"))])
      #expect(answer.status == 200)
      token = .string(answer.text("idToken"))
    }
    let answer = await call("update", [("idToken", token), ("password", "secret1")])
    #expect(answer.refusal == Self.tooMany)
    #expect(await call("update", [("idToken", token), ("displayName", "Ada")]).status == 200)
  }

  // MARK: Who is counted

  @Test func administratorsAreNotCounted() async {
    for number in 0..<120 {
      let answer = await accounts.administer(
        "", [("email", .string("ada\(number)@example.com"))])
      #expect(answer.status == 200)
    }
    for _ in 0..<60 {
      let answer = await accounts.administer(
        ":sendOobCode", [("requestType", "PASSWORD_RESET"), ("email", "ada1@example.com")])
      #expect(answer.status == 200)
    }
  }

  @Test func anEmulatorCountsNothing() async throws {
    let emulator = try await TestAccounts()
    for _ in 0..<120 {
      var request = AccountRequest("POST", "/v1/accounts:signUp?key=k")
      request.clientAddress = "192.0.2.1"
      #expect(await emulator.answer(request).status == 200)
    }
  }

  /// Many clients don't make the server forget the one that has tried the most.
  @Test func theCountersAreBounded() async {
    for _ in 0..<100 { _ = await call("signUp", []) }
    for number in 0..<1000 {
      _ = await call("signUp", [], from: "10.0.\(number / 250).\(number % 250)")
      #expect(limits.count <= 100)
    }
    #expect(await call("signUp", []).refusal == Self.tooMany)
  }
}
