import Hearth
import HearthAccounts
import HearthDocumentModel
import HearthFirestoreJSON
import HearthTokens
import Testing

/// Nonces of providers' tokens, and the tokens that stand for a credential that was used (A§7.1).
@Suite struct NonceTests {
  private let own: KeyRing
  private let mode: AccountMode
  private let accounts: TestAccounts

  init() async throws {
    let rings = TestProvider.rings
    try #require(rings.count == 3)
    own = rings[1]
    mode = TestProvider([own]).mode(rings[0])
    accounts = try await TestAccounts(mode)
  }

  /// Returns a token with the hash of a nonce.
  private func token(
    _ subject: String = "apple-ada", nonce: String?, _ changes: [String: JSONValue] = [:]
  ) throws -> String {
    var claims = changes
    claims["nonce"] = nonce.map { .string(Secret.digest($0)) }
    return try SignedTokens(own).token(TestProvider.claims(subject, claims))
  }

  private static let used =
    "MISSING_OR_INVALID_NONCE : Duplicate credential received. Please try again with a new "
    + "credential."

  @Test func aNonceIsGoodOnce() async throws {
    let token = try token(nonce: "abc")
    #expect(
      await accounts.signIn(byToken: token).refusal
        == "MISSING_OR_INVALID_NONCE : Nonce is missing in the request.")
    let hash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    #expect(
      await accounts.signIn(byToken: token, nonce: "abd").refusal
        == "MISSING_OR_INVALID_NONCE : The nonce in ID Token \"\(hash)\" does not match the SHA256 "
        + "hash of the raw nonce \"abd\" in the request.")
    // Neither has used it up.
    #expect(await accounts.signIn(byToken: token, nonce: "abc").status == 200)
    #expect(await accounts.signIn(byToken: token, nonce: "abc").refusal == Self.used)
    // Nor is it good in another token.
    let another = try self.token("apple-bob", nonce: "abc")
    #expect(await accounts.signIn(byToken: another, nonce: "abc").refusal == Self.used)
  }

  @Test func theNonceItselfInATokenIsNoHashOfIt() async throws {
    let token = try SignedTokens(own).token(
      TestProvider.claims("apple-ada", ["nonce": "abc"]))
    let refusal = await accounts.signIn(byToken: token, nonce: "abc").refusal
    #expect(refusal?.hasPrefix("MISSING_OR_INVALID_NONCE : The nonce in ID Token \"abc\"") == true)
  }

  @Test func aTokenWithoutANonceIsGoodAgain() async throws {
    let token = try token(nonce: nil)
    for nonce in [nil, "abc", nil] {
      #expect(await accounts.signIn(byToken: token, nonce: nonce).status == 200)
    }
  }

  @Test func aCredentialThatIsRefusedUsesNothingUp() async throws {
    let token = try token(nonce: "abc")
    let refused = await accounts.signIn(byToken: token, nonce: "abc", [("autoCreate", false)])
    #expect(refused.refusal == "USER_NOT_FOUND")
    #expect(await accounts.signIn(byToken: token, nonce: "abc").status == 200)
  }

  @Test func ofSimultaneousUsesOneIsGood() async throws {
    let token = try token(nonce: "abc")
    var answers: [String: Int] = [:]
    await withTaskGroup(of: String.self) { group in
      for _ in 0..<50 {
        group.addTask { await accounts.signIn(byToken: token, nonce: "abc").refusal ?? "" }
      }
      for await refusal in group { answers[refusal, default: 0] += 1 }
    }
    #expect(answers == ["": 1, Self.used: 49])
  }

  @Test func aNonceIsRememberedUntilItsTokenEnds() async throws {
    let token = try token(nonce: "abc")
    _ = await accounts.signIn(byToken: token, nonce: "abc")
    // Another server over the same accounts.
    let next = try await AccountService(
      accounts.database, project: "demo-auth", mode: mode,
      now: { (TestProvider.now + 659) * 1000 })
    let body = JSONValue.string("providerId=apple.com&id_token=\(token)&nonce=abc")
    let answer = await next.answer(
      AccountRequest(
        "POST", "/v1/accounts:signInWithIdp?key=k",
        json: ["requestUri": "http://localhost", "postBody": body]))
    #expect(answer?.refusal == Self.used)
    let records = try await accounts.database.collection("projects/=demo-auth/nonces")
      .getDocuments().documents
    #expect(records.count == 1)
    #expect(
      try records.first?.data()?["removal"]
        == .timestamp(Timestamp(microseconds: (TestProvider.now + 660) * 1_000_000)))
    accounts.move(seconds: 660)
    #expect(
      await accounts.signIn(byToken: token, nonce: "abc").refusal
        == "INVALID_IDP_RESPONSE : ID Token issued at 1800000000 is stale to sign-in.")
  }

  // MARK: Pending tokens

  /// The way of the tutorials: an anonymous user links an identity that another account has, and
  /// goes on as that account.
  @Test func theCredentialInUseIsRecoveredWithoutItsNonce() async throws {
    let first = await accounts.signIn(byToken: try token(nonce: "n1"), nonce: "n1")
    let anonymous = JSONValue.string(await accounts.call("signUp", []).text("idToken"))
    let used = try token(nonce: "n2")
    let collision = await accounts.signIn(byToken: used, nonce: "n2", [("idToken", anonymous)])
    #expect(collision.text("errorMessage") == "FEDERATED_USER_ID_ALREADY_LINKED")
    #expect(collision.text("oauthIdToken") == used)
    // The credential itself is used up.
    #expect(await accounts.signIn(byToken: used, nonce: "n2").refusal == Self.used)
    #expect(
      await accounts.signIn(byToken: used).refusal
        == "MISSING_OR_INVALID_NONCE : Nonce is missing in the request.")
    let pending = JSONValue.string(collision.text("pendingToken"))
    // iOS sends the token beside, the web nothing else.
    let phone = await accounts.signIn(byToken: used, [("pendingToken", pending)])
    let web = await accounts.call("signInWithIdp", [("pendingToken", pending)])
    for answer in [phone, web] { #expect(answer.text("localId") == first.text("localId")) }
  }

  @Test func aPendingTokenIsOverAfterTenMinutes() async throws {
    let user = await accounts.signIn(byToken: try token(nonce: "abc"), nonce: "abc")
    let pending = JSONValue.string(user.text("pendingToken"))
    accounts.move(seconds: 599)
    #expect(await accounts.call("signInWithIdp", [("pendingToken", pending)]).status == 200)
    accounts.move(seconds: 1)
    for token in [pending, "x", .string(user.text("refreshToken"))] {
      #expect(
        await accounts.call("signInWithIdp", [("pendingToken", token)]).refusal
          == "INVALID_PENDING_TOKEN")
    }
  }

  @Test func aPendingTokenIsForOneProject() async throws {
    let user = await accounts.signIn(byToken: try token(nonce: "abc"), nonce: "abc")
    let answer = await accounts.answer(
      AccountRequest(
        "POST", "/v1/accounts:signInWithIdp", authorization: TestAccounts.administrator,
        json: [
          "targetProjectId": "demo-other", "pendingToken": .string(user.text("pendingToken")),
        ]))
    #expect(answer.refusal == "INVALID_PENDING_TOKEN")
  }
}
