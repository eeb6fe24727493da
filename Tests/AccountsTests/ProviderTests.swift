import HearthAccounts
import HearthFirestoreJSON
import Testing

/// Identities at providers.
@Suite struct ProviderTests {
  @Test func theCredentialInUseComesWithTheMeansOfRecovery() async throws {
    let accounts = try await TestAccounts()
    let first = await accounts.signInWithApple("apple-ada", email: "ada@example.com")
    let second = await accounts.call("signUp", [])
    let token = JSONValue.string(second.text("idToken"))
    let collision = await accounts.signInWithApple(
      "apple-ada", email: "ada@example.com", [("idToken", token)])
    #expect(collision.status == 200)
    #expect(collision.text("errorMessage") == "FEDERATED_USER_ID_ALREADY_LINKED")
    // Without one of them, iOS makes no credential of the answer.
    #expect(!collision.text("oauthIdToken").isEmpty && !collision.text("pendingToken").isEmpty)
    #expect(collision.json["idToken"] == nil && collision.json["needConfirmation"] == nil)
    let pending = JSONValue.string(collision.text("pendingToken"))
    for _ in 0..<2 {
      let recovered = await accounts.call(
        "signInWithIdp", [("requestUri", "http://localhost"), ("pendingToken", pending)])
      #expect(recovered.text("localId") == first.text("localId"))
    }
    // The other account stays.
    #expect(await accounts.call("lookup", [("idToken", token)]).status == 200)
  }

  @Test func aPendingTokenIsOverAfterTenMinutes() async throws {
    let accounts = try await TestAccounts()
    let user = await accounts.signInWithApple("apple-ada")
    let pending = JSONValue.string(user.text("pendingToken"))
    accounts.move(seconds: 599)
    #expect(await accounts.call("signInWithIdp", [("pendingToken", pending)]).status == 200)
    accounts.move(seconds: 2)
    #expect(
      await accounts.call("signInWithIdp", [("pendingToken", pending)]).refusal
        == "INVALID_PENDING_TOKEN")
  }

  @Test func anUnverifiedAccountIsTakenOver() async throws {
    let accounts = try await TestAccounts()
    let stranger = await accounts.signUp("ada@example.com")
    let owner = await accounts.signInWithApple("apple-ada", email: "ada@example.com")
    #expect(owner.text("localId") == stranger.text("localId"))
    #expect(await accounts.signIn("ada@example.com").refusal == "INVALID_PASSWORD")
    #expect(await accounts.refresh(stranger.text("refreshToken")).refusal == "TOKEN_EXPIRED")
  }

  @Test func aVerifiedAccountKeepsItsPassword() async throws {
    let accounts = try await TestAccounts()
    await accounts.administer(
      "", [("email", "ada@example.com"), ("password", "secret1"), ("emailVerified", true)])
    await accounts.signInWithApple("apple-ada", email: "ada@example.com")
    #expect(await accounts.signIn("ada@example.com").status == 200)
  }

  @Test func anUnlinkedIdentityIsFree() async throws {
    let accounts = try await TestAccounts()
    let first = await accounts.signInWithApple("apple-ada")
    let unlinked = await accounts.call(
      "update",
      [("idToken", .string(first.text("idToken"))), ("deleteProvider", .array(["apple.com"]))])
    #expect(unlinked.status == 200 && unlinked.json["providerUserInfo"]?.elements.isEmpty == true)
    let second = await accounts.signInWithApple("apple-ada")
    #expect(second.text("localId") != first.text("localId"))
    #expect(second.json["isNewUser"]?.line == "true")
  }

  @Test func anUnknownIdentityIsRefusedWhereNoneIsToBeMade() async throws {
    let accounts = try await TestAccounts()
    let answer = await accounts.signInWithApple("apple-ada", [("autoCreate", false)])
    #expect(answer.refusal == "USER_NOT_FOUND")
  }

  @Test func aNonceIsComparedWhereThereAreTwo() async throws {
    let accounts = try await TestAccounts()
    let body = "providerId=apple.com&id_token=%7B%22sub%22:%22a%22,%22nonce%22:%22raw%22%7D"
    for (nonce, status) in [("", 200), ("&nonce=raw", 400)] {
      let answer = await accounts.call(
        "signInWithIdp",
        [("requestUri", "http://localhost"), ("postBody", .string(body + nonce))])
      #expect(answer.status == status)
    }
    let hash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    let good =
      "providerId=apple.com&nonce=abc&id_token=%7B%22sub%22:%22a%22,%22nonce%22:%22\(hash)%22%7D"
    let answer = await accounts.call(
      "signInWithIdp", [("requestUri", "http://localhost"), ("postBody", .string(good))])
    #expect(answer.status == 200)
  }

  @Test func theNameThatAppleGivesIsThatOfANewUser() async throws {
    let accounts = try await TestAccounts()
    let user = "%7B%22name%22:%7B%22firstName%22:%22Ada%22,%22lastName%22:%22L.%22%7D%7D"
    let answer = await accounts.call(
      "signInWithIdp",
      [
        ("requestUri", "http://localhost"),
        ("postBody", .string("providerId=apple.com&id_token=%7B%22sub%22:%22a%22%7D&user=\(user)")),
      ])
    #expect(answer.text("displayName") == "Ada L.")
    #expect(answer.json["idToken"]?.claims["name"]?.string == "Ada L.")
  }
}
