import HearthAccounts
import HearthFirestoreJSON
import Testing

/// The life of tokens.
@Suite struct SessionTests {
  @Test func aRefreshKeepsTheTimeOfTheSignIn() async throws {
    let accounts = try await TestAccounts()
    let user = await accounts.signUp("ada@example.com")
    accounts.move(seconds: 4000)
    let refreshed = await accounts.refresh(user.text("refreshToken"))
    let (old, new) = (user.json["idToken"]?.claims, refreshed.json["id_token"]?.claims)
    #expect(old?["auth_time"]?.line == new?["auth_time"]?.line)
    #expect(old?["iat"]?.line != new?["iat"]?.line)
    // A token that is still good may be used again.
    #expect(await accounts.refresh(user.text("refreshToken")).status == 200)
  }

  @Test func aChangeOfThePasswordEndsTokensOfTheSameSecond() async throws {
    let accounts = try await TestAccounts()
    let user = await accounts.signUp("ada@example.com")
    let changed = await accounts.call(
      "update", [("idToken", .string(user.text("idToken"))), ("password", "secret2")])
    #expect(await accounts.refresh(user.text("refreshToken")).refusal == "TOKEN_EXPIRED")
    #expect(await accounts.refresh(changed.text("refreshToken")).status == 200)
    let lookup = await accounts.call(
      "lookup", [("idToken", .string(changed.text("idToken")))])
    #expect(lookup.status == 200)
  }

  @Test func aRevocationEndsTokensOfTheSameSecond() async throws {
    let accounts = try await TestAccounts()
    let user = await accounts.signUp("ada@example.com")
    await accounts.administer(
      ":update",
      [("localId", .string(user.text("localId"))), ("validSince", .integer(1_800_000_000))])
    #expect(await accounts.refresh(user.text("refreshToken")).refusal == "TOKEN_EXPIRED")
    #expect(await accounts.signIn("ada@example.com").status == 200)
  }

  @Test func aDisabledUserGetsNothing() async throws {
    let accounts = try await TestAccounts()
    let user = await accounts.signUp("ada@example.com")
    let token = JSONValue.string(user.text("idToken"))
    await accounts.administer(
      ":update", [("localId", .string(user.text("localId"))), ("disableUser", true)])
    #expect(await accounts.refresh(user.text("refreshToken")).refusal == "USER_DISABLED")
    #expect(await accounts.signIn("ada@example.com").refusal == "USER_DISABLED")
    // Who doesn't know the password isn't told.
    #expect(await accounts.signIn("ada@example.com", "wrong12").refusal == "INVALID_PASSWORD")
    for name in ["lookup", "update", "delete"] {
      #expect(
        await accounts.call(name, [("idToken", token), ("displayName", "A")]).refusal
          == "USER_DISABLED")
    }
  }

  @Test func claimsOfACustomTokenWinAndSurviveRefreshes() async throws {
    let accounts = try await TestAccounts()
    await accounts.administer("", [("localId", "u1")])
    await accounts.administer(
      ":update",
      [("localId", "u1"), ("customAttributes", #"{"level":1,"admin":true}"#)])
    let user = await accounts.call(
      "signInWithCustomToken", [("token", #"{"uid":"u1","claims":{"level":2}}"#)])
    let refreshed = await accounts.refresh(user.text("refreshToken"))
    for token in [user.json["idToken"], refreshed.json["id_token"]] {
      #expect(token?.claims["level"]?.line == "2" && token?.claims["admin"]?.line == "true")
      #expect(token?.claims["sub"]?.string == "u1")
    }
  }

  @Test(arguments: ["grant_type", "grantType"], ["refresh_token", "refreshToken"])
  func namesInEitherSpellingAreTaken(type: String, token: String) async throws {
    let accounts = try await TestAccounts()
    let user = await accounts.call("signUp", [])
    let value = user.text("refreshToken")
    let json = await accounts.answer(
      AccountRequest(
        "POST", "/securetoken.googleapis.com/v1/token?key=k",
        json: .object([(type, .string("refresh_token")), (token, .string(value))])))
    #expect(json.text("user_id") == user.text("localId"))
    let form = await accounts.answer(
      AccountRequest(
        "POST", "/securetoken.googleapis.com/v1/token?key=k",
        contentType: "application/x-www-form-urlencoded",
        body: Array("\(type)=refresh_token&\(token)=\(value)".utf8)))
    #expect(form.text("user_id") == user.text("localId"))
  }
}
