import HearthAccounts
import HearthFirestoreJSON
import Testing

/// Codes that users get by e-mail.
@Suite struct CodeTests {
  private static let ada = "ada@example.com"

  private func ask(_ accounts: TestAccounts, _ type: String, _ members: [(String, JSONValue)])
    async -> AccountAnswer
  {
    await accounts.call("sendOobCode", [("requestType", .string(type))] + members)
  }

  @Test func aSecondCodeEndsTheFirst() async throws {
    let accounts = try await TestAccounts()
    _ = await accounts.signUp(Self.ada)
    var codes: [String] = []
    for _ in 0..<2 {
      _ = await ask(accounts, "PASSWORD_RESET", [("email", .string(Self.ada))])
      codes.append(await accounts.code(for: Self.ada))
    }
    #expect(codes[0] != codes[1])
    let answers = [
      await accounts.call("resetPassword", [("oobCode", .string(codes[0]))]),
      await accounts.call("resetPassword", [("oobCode", .string(codes[1]))]),
    ]
    #expect(answers[0].refusal == "INVALID_OOB_CODE" && answers[1].status == 200)
  }

  @Test func aCodeExpires() async throws {
    let accounts = try await TestAccounts()
    _ = await accounts.signUp(Self.ada)
    _ = await ask(accounts, "PASSWORD_RESET", [("email", .string(Self.ada))])
    let code = JSONValue.string(await accounts.code(for: Self.ada))
    accounts.move(seconds: 3600)
    #expect(
      await accounts.call("resetPassword", [("oobCode", code)]).refusal == "EXPIRED_OOB_CODE")
  }

  @Test func aResetEndsOldTokensAndVerifiesTheAddress() async throws {
    let accounts = try await TestAccounts()
    let user = await accounts.signUp(Self.ada)
    _ = await ask(accounts, "PASSWORD_RESET", [("email", .string(Self.ada))])
    let code = JSONValue.string(await accounts.code(for: Self.ada))
    let reset = await accounts.call(
      "resetPassword", [("oobCode", code), ("newPassword", "secret2")])
    #expect(reset.text("requestType") == "PASSWORD_RESET")
    #expect(await accounts.refresh(user.text("refreshToken")).refusal == "TOKEN_EXPIRED")
    let signedIn = await accounts.signIn(Self.ada, "secret2")
    #expect(signedIn.json["idToken"]?.claims["email_verified"]?.line == "true")
    #expect(
      await accounts.call("resetPassword", [("oobCode", code), ("newPassword", "secret3")]).refusal
        == "INVALID_OOB_CODE")
  }

  @Test func anAddressIsChangedByACodeAndComesBackByAnother() async throws {
    let accounts = try await TestAccounts()
    let user = await accounts.signUp(Self.ada)
    let token = JSONValue.string(user.text("idToken"))
    let sent = await ask(
      accounts, "VERIFY_AND_CHANGE_EMAIL", [("idToken", token), ("newEmail", "new@example.com")])
    #expect(sent.text("newEmail") == "new@example.com")
    let code = await accounts.code(for: Self.ada)
    let changed = await accounts.call("update", [("oobCode", .string(code))])
    #expect(changed.text("email") == "new@example.com")
    let signedIn = await accounts.signIn("new@example.com")
    await accounts.call(
      "update",
      [("idToken", .string(signedIn.text("idToken"))), ("email", "third@example.com")])
    let recovery = await accounts.code(for: "new@example.com")
    let recovered = await accounts.call("update", [("oobCode", .string(recovery))])
    #expect(recovered.text("email") == "new@example.com")
  }

  @Test func aLinkToAnUnverifiedAccountRemovesItsPassword() async throws {
    let accounts = try await TestAccounts()
    let stranger = await accounts.signUp(Self.ada)
    _ = await ask(accounts, "EMAIL_SIGNIN", [("email", .string(Self.ada))])
    let code = JSONValue.string(await accounts.code(for: Self.ada))
    let owner = await accounts.call(
      "signInWithEmailLink", [("email", .string(Self.ada)), ("oobCode", code)])
    #expect(owner.text("localId") == stranger.text("localId"))
    #expect(owner.json["isNewUser"]?.line == "false")
    #expect(await accounts.signIn(Self.ada).refusal == "INVALID_PASSWORD")
    #expect(await accounts.refresh(stranger.text("refreshToken")).refusal == "TOKEN_EXPIRED")
  }

  @Test func theActionPageAppliesACode() async throws {
    let accounts = try await TestAccounts()
    _ = await accounts.signUp(Self.ada)
    _ = await ask(accounts, "PASSWORD_RESET", [("email", .string(Self.ada))])
    let code = await accounts.code(for: Self.ada)
    let page = "/emulator/action?mode=resetPassword&oobCode=\(code)&apiKey=k"
    let asked = await accounts.answer(AccountRequest("GET", page))
    #expect(asked.status == 400)
    let applied = await accounts.answer(
      AccountRequest("GET", page + "&newPassword=secret2&continueUrl=http%3A%2F%2Flocalhost%2Fx"))
    #expect(applied.status == 303 && applied.location == "http://localhost/x")
    #expect(await accounts.signIn(Self.ada, "secret2").status == 200)
  }

  @Test func noAddressAddsAHeader() async throws {
    let accounts = try await TestAccounts()
    let page = "/emulator/action?mode=signIn&oobCode=x&continueUrl=http%3A%2F%2Fa%0D%0AX%3A%20y"
    let answer = await accounts.answer(AccountRequest("GET", page))
    #expect(answer.status == 400 && answer.location == nil)
  }

  @Test func protectionTellsNothingOfUnknownAddresses() async throws {
    let accounts = try await TestAccounts()
    _ = await accounts.signUp(Self.ada)
    _ = await accounts.answer(
      AccountRequest(
        "PATCH", "/emulator/v1/projects/demo-auth/config",
        json: ["emailPrivacyConfig": ["enableImprovedEmailPrivacy": true]]))
    var answers: Set<String> = []
    for email in [Self.ada, "nobody@example.com"] {
      let sent = await ask(accounts, "PASSWORD_RESET", [("email", .string(email))])
      let wrong = await accounts.signIn(email, "wrong12")
      let methods = await accounts.call(
        "createAuthUri",
        [("identifier", .string(email)), ("continueUri", "http://localhost"), ("sessionId", "s")])
      answers.insert(
        "\(sent.json.line.replacing(email, with: "")) \(wrong.json.line) \(methods.json.line)")
    }
    #expect(answers.count == 1, "\(answers)")
  }
}
