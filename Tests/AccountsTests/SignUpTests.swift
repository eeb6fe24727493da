import HearthAccounts
import HearthFirestoreJSON
import Testing

@Suite struct SignUpTests {
  @Test func oneOfAThousandSignUpsOfAnAddressWins() async throws {
    let accounts = try await TestAccounts()
    let answers = await withTaskGroup(of: AccountAnswer.self) { group in
      for _ in 0..<1000 { group.addTask { await accounts.signUp("ada@example.com") } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    let winners = answers.filter { $0.status == 200 }
    #expect(winners.count == 1)
    let others = Set(answers.filter { $0.status != 200 }.map { $0.refusal ?? "" })
    #expect(others == ["EMAIL_EXISTS"])
    let list = await accounts.answer(
      AccountRequest(
        "GET", "/v1/projects/demo-auth/accounts:batchGet", authorization: "Bearer owner"))
    let ids = list.json["users"]?.elements.map { $0["localId"]?.string ?? "" }
    #expect(ids == winners.map { $0.text("localId") })
  }

  @Test func oneOfManyLinksOfAnIdentityWins() async throws {
    let accounts = try await TestAccounts()
    let answers = await withTaskGroup(of: AccountAnswer.self) { group in
      for _ in 0..<100 {
        group.addTask {
          let user = await accounts.call("signUp", [])
          return await accounts.signInWithApple(
            "apple-ada", [("idToken", .string(user.text("idToken")))])
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(answers.allSatisfy { $0.status == 200 })
    #expect(answers.count { $0.json["idToken"] != nil } == 1)
    let messages = answers.compactMap { $0.json["errorMessage"]?.string }
    #expect(Set(messages) == ["FEDERATED_USER_ID_ALREADY_LINKED"] && messages.count == 99)
  }

  @Test func timeOfTokensIsText() async throws {
    let accounts = try await TestAccounts()
    let user = await accounts.call("signUp", [])
    // A number counts as absent on iOS.
    #expect(user.json["expiresIn"]?.string == "3600")
    let refreshed = await accounts.refresh(user.text("refreshToken"))
    #expect(refreshed.json["expires_in"]?.string == "3600")
  }

  @Test(arguments: [
    ("", "MISSING_EMAIL"), ("no address", "INVALID_EMAIL"), ("@example.com", "INVALID_EMAIL"),
    ("a@", "INVALID_EMAIL"), ("a@b@c", "INVALID_EMAIL"), ("é@example.com", "INVALID_EMAIL"),
    ("a@exam ple.com", "INVALID_EMAIL"), ("a\u{0}@example.com", "INVALID_EMAIL"),
    (String(repeating: "a", count: 300) + "@example.com", "INVALID_EMAIL"),
  ])
  func addressesThatAreNoneAreRefused(email: String, refusal: String) async throws {
    let accounts = try await TestAccounts()
    #expect(await accounts.signUp(email).refusal == refusal)
  }

  @Test func anAccountThatGoesFreesItsAddress() async throws {
    let accounts = try await TestAccounts()
    let first = await accounts.signUp("ada@example.com")
    await accounts.call("delete", [("idToken", .string(first.text("idToken")))])
    let second = await accounts.signUp("ada@example.com")
    #expect(second.status == 200 && second.text("localId") != first.text("localId"))
    #expect(await accounts.refresh(first.text("refreshToken")).refusal == "USER_NOT_FOUND")
  }

  @Test func aRefreshTokenDiesWithItsAccountEvenIfTheIDComesBack() async throws {
    let accounts = try await TestAccounts()
    let user = await accounts.signUp("ada@example.com")
    let id = JSONValue.string(user.text("localId"))
    await accounts.administer(":delete", [("localId", id)])
    #expect(await accounts.administer("", [("localId", id)]).status == 200)
    #expect(await accounts.refresh(user.text("refreshToken")).refusal == "TOKEN_EXPIRED")
  }
}
