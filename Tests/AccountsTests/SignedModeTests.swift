import HearthAccounts
import HearthDocumentModel
import HearthFirestoreJSON
import HearthTokens
import Testing

/// Sign-in with signed tokens: only those get in who should.
@Suite struct SignedModeTests {
  private static let ring = (try? KeyRing.newKey()).flatMap { try? KeyRing(pem: $0) }
  private static let otherRing = (try? KeyRing.newKey()).flatMap { try? KeyRing(pem: $0) }

  private let ring: KeyRing
  private let accounts: TestAccounts

  init() async throws {
    ring = try #require(Self.ring)
    accounts = try await TestAccounts(.signed(ring, standing: TestAccounts.standing))
  }

  @Test func tokensAreSignedAndExpire() async throws {
    let user = await accounts.call("signUp", [])
    let token = JSONValue.string(user.text("idToken"))
    #expect(
      user.json["idToken"]?.claims["iss"]?.string == "https://securetoken.google.com/demo-auth")
    #expect(await accounts.call("lookup", [("idToken", token)]).status == 200)
    accounts.move(seconds: 3599)
    #expect(await accounts.call("lookup", [("idToken", token)]).status == 200)
    accounts.move(seconds: 1)
    #expect(await accounts.call("lookup", [("idToken", token)]).refusal == "TOKEN_EXPIRED")
    // The refresh token is good on.
    let refreshed = await accounts.refresh(user.text("refreshToken"))
    let new = JSONValue.string(refreshed.text("id_token"))
    #expect(await accounts.call("lookup", [("idToken", new)]).status == 200)
  }

  @Test func tokensOfOthersAreRefused() async throws {
    let user = await accounts.call("signUp", [])
    let claims = try #require(members(of: user.json["idToken"]?.claims))
    let other = SignedTokens(try #require(Self.otherRing))
    for token in [
      try UnsignedTokens().token(claims), try other.token(claims), "owner", "",
      try SignedTokens(ring).token(claims.map { $0.0 == "aud" ? ("aud", "demo-other") : $0 }),
      try SignedTokens(ring).sessionCookie(
        claims.map {
          $0.0 == "iss" ? ("iss", "https://session.firebase.google.com/demo-auth") : $0
        }),
    ] {
      for name in ["lookup", "update", "delete"] {
        let answer = await accounts.call(name, [("idToken", .string(token)), ("displayName", "A")])
        #expect(answer.status == 400 && answer.json["localId"] == nil, "\(name) \(token)")
      }
    }
    let own = try SignedTokens(ring).token(claims)
    #expect(await accounts.call("lookup", [("idToken", .string(own))]).status == 200)
  }

  private func members(of json: JSONValue?) -> [(String, JSONValue)]? {
    guard case .object(let members)? = json else { return nil }
    return members
  }

  @Test(arguments: ["Bearer owner", "bearer owner", "Bearer ya29.x", "owner", "Basic owner"])
  func theEmulatorsOwnerIsUnknown(authorization: String) async throws {
    for request in [
      AccountRequest(
        "POST", "/v1/projects/demo-auth/accounts:lookup", authorization: authorization),
      AccountRequest("POST", "/v1/accounts:signUp?key=k", authorization: authorization),
      AccountRequest("GET", "/v2/projects/demo-auth/config", authorization: authorization),
    ] {
      let answer = await accounts.answer(request)
      #expect(answer.status == 401)
      #expect(answer.json["error"]?["status"]?.string == "UNAUTHENTICATED")
    }
    #expect(await accounts.administer("", [("localId", "u1")]).status == 200)
  }

  @Test(arguments: [
    ("DELETE", "/emulator/v1/projects/demo-auth/accounts"),
    ("GET", "/emulator/v1/projects/demo-auth/oobCodes"),
    ("GET", "/emulator/v1/projects/demo-auth/config"),
    ("PATCH", "/emulator/v1/projects/demo-auth/config"),
    ("GET", "/emulator/v1/projects/demo-auth/verificationCodes"),
    ("GET", "/emulator/action?mode=resetPassword&oobCode=x"),
  ])
  func nothingOfTheEmulatorsIsServed(method: String, target: String) async throws {
    let request = AccountRequest(method, target, authorization: TestAccounts.administrator)
    #expect(await accounts.service.answer(request).map(\.status) == nil)
  }

  @Test func codesAndProvidersNeedAConfiguration() async throws {
    let user = await accounts.signUp("ada@example.com")
    for type in ["PASSWORD_RESET", "EMAIL_SIGNIN"] {
      let answer = await accounts.call(
        "sendOobCode", [("requestType", .string(type)), ("email", "ada@example.com")])
      #expect(answer.refusal == "OPERATION_NOT_ALLOWED")
    }
    let verification = await accounts.call(
      "sendOobCode",
      [("requestType", "VERIFY_EMAIL"), ("idToken", .string(user.text("idToken")))])
    #expect(verification.refusal == "OPERATION_NOT_ALLOWED")
    let apple = await accounts.signInWithApple("apple-ada", email: "ada@example.com")
    #expect(apple.refusal?.hasPrefix("OPERATION_NOT_ALLOWED : ") == true)
  }

  /// The address by which a client names the server could lead users elsewhere.
  @Test func linksOfAdministratorsLeadToTheApplication() async throws {
    _ = await accounts.signUp("ada@example.com")
    var request = AccountRequest(
      "POST", "/v1/projects/demo-auth/accounts:sendOobCode",
      authorization: TestAccounts.administrator,
      json: ["requestType": "PASSWORD_RESET", "email": "ada@example.com", "returnOobLink": true])
    request.origin = "http://evil.example"
    let link = await accounts.answer(request).text("oobLink")
    #expect(link.hasPrefix("https://demo-auth.firebaseapp.com/__/auth/action?mode=resetPassword&"))
  }

  @Test func changesNeedARecentSignIn() async throws {
    let user = await accounts.signUp("ada@example.com")
    accounts.move(seconds: 301)
    let token = JSONValue.string(
      await accounts.refresh(user.text("refreshToken")).text("id_token"))
    for members in [[("password", JSONValue.string("secret2"))], [("email", "b@example.com")]] {
      let answer = await accounts.call("update", [("idToken", token)] + members)
      #expect(answer.refusal == "CREDENTIAL_TOO_OLD_LOGIN_AGAIN")
    }
    #expect(
      await accounts.call("delete", [("idToken", token)]).refusal
        == "CREDENTIAL_TOO_OLD_LOGIN_AGAIN")
    let again = JSONValue.string(await accounts.signIn("ada@example.com").text("idToken"))
    #expect(
      await accounts.call("update", [("idToken", again), ("password", "secret2")]).status == 200)
  }

  @Test func readersFindTheKeys() async throws {
    let discovery = await accounts.answer(
      AccountRequest("GET", "/.well-known/openid-configuration"))
    #expect(discovery.text("issuer") == "https://securetoken.google.com/demo-auth")
    #expect(discovery.text("jwks_uri") == "http://localhost/.well-known/jwks.json")
    let other = await accounts.answer(
      AccountRequest("GET", "/securetoken.google.com/demo-b/.well-known/openid-configuration"))
    #expect(other.text("issuer") == "https://securetoken.google.com/demo-b")
    for address in [
      "/.well-known/jwks.json", "/v1/sessionCookiePublicKeys",
      "/www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com",
    ] {
      let set = await accounts.answer(AccountRequest("GET", address))
      #expect(set.json["keys"]?.elements.first?["kid"]?.string == ring.signingName)
      #expect(set.cacheTime == 3600)
    }
    let unsigned = try await TestAccounts()
    let answer = await unsigned.service.answer(AccountRequest("GET", "/.well-known/jwks.json"))
    #expect(answer.map(\.status) == nil)
  }

  // MARK: Custom tokens

  private func custom(
    _ changes: [(String, JSONValue)] = [], by ring: KeyRing? = nil
  ) throws -> JSONValue {
    let signer = JSONValue.string("firebase-adminsdk@demo-auth.iam.gserviceaccount.com")
    let now: Int64 = 1_800_000_000
    var claims: [(String, JSONValue)] = [
      ("aud", .string(CustomTokenClaims.audience)), ("iss", signer), ("sub", signer),
      ("uid", "ada"), ("iat", .integer(now)), ("exp", .integer(now + 3600)),
    ]
    claims.removeAll { claim in changes.contains { $0.0 == claim.0 } }
    return .string(try SignedTokens(ring ?? self.ring).token(claims + changes))
  }

  private func signIn(_ token: JSONValue) async -> AccountAnswer {
    await accounts.call("signInWithCustomToken", [("token", token)])
  }

  @Test func aCustomTokenOfTheServersKeyIsGood() async throws {
    let answer = await signIn(try custom([("claims", ["level": .integer(2)])]))
    #expect(answer.json["idToken"]?.claims["sub"]?.string == "ada")
    #expect(answer.json["idToken"]?.claims["level"]?.line == "2")
    accounts.move(seconds: 3600)
    #expect(await signIn(try custom()).refusal == "TOKEN_EXPIRED")
  }

  @Test func otherCustomTokensAreRefused() async throws {
    let other = try #require(Self.otherRing)
    #expect(await signIn(try custom(by: other)).refusal == "CREDENTIAL_MISMATCH")
    for signer in ["", "a@example.com", "firebase-adminsdk@demo-b.iam.gserviceaccount.com"] {
      let token = try custom([("iss", .string(signer)), ("sub", .string(signer))])
      #expect(await signIn(token).refusal == "CREDENTIAL_MISMATCH")
      #expect(await signIn(try custom([("sub", .string(signer))])).refusal == "CREDENTIAL_MISMATCH")
    }
    let early: [[(String, JSONValue)]] = [
      [("iat", .integer(1_800_000_061))], [("exp", .integer(1_800_003_601))],
      [("iat", .integer(.max))], [("iat", .null)], [("exp", "1800000001")],
    ]
    for changes in early {
      let refusal = await signIn(try custom(changes)).refusal ?? ""
      #expect(refusal.hasPrefix("INVALID_CUSTOM_TOKEN"), "\(changes) \(refusal)")
    }
    for token in [#"{"uid":"ada"}"#, "", "a.b.c"] {
      #expect(await signIn(.string(token)).status == 400)
    }
    // A user's own token is none.
    let user = await accounts.call("signUp", [])
    let refusal = await signIn(.string(user.text("idToken"))).refusal ?? ""
    #expect(refusal.hasPrefix("INVALID_CUSTOM_TOKEN"))
  }

  @Test func aCustomTokenIsNoTokenOfAUser() async throws {
    let answer = await accounts.call("lookup", [("idToken", try custom())])
    #expect(answer.refusal == "INVALID_ID_TOKEN")
  }
}
