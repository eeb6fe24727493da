import HearthAccounts
import HearthFirestoreJSON
import Testing

/// The import of accounts.
@Suite struct ImportTests {
  /// The published example of Firebase's own form.
  private static let firebase: [(String, JSONValue)] = [
    ("hashAlgorithm", "SCRYPT"), ("rounds", .integer(8)), ("memoryCost", .integer(14)),
    ("saltSeparator", "Bw=="),
    (
      "signerKey",
      "jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA=="
    ),
  ]
  private static let user = JSONValue.object([
    ("localId", "u1"), ("email", "ada@example.com"), ("salt", "42xEC+ixf3L2lw=="),
    (
      "passwordHash",
      "lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ=="
    ),
  ])

  @Test func passwordsOfFirebaseAreGood() async throws {
    let accounts = try await TestAccounts()
    let imported = await accounts.administer(
      ":batchCreate", Self.firebase + [("users", .array([Self.user]))])
    #expect(imported.status == 200 && imported.json["error"] == nil)
    #expect(await accounts.signIn("ada@example.com", "wrong12").refusal == "INVALID_PASSWORD")
    // The second time by the hash that the first one has made.
    for _ in 0..<2 {
      #expect(await accounts.signIn("ada@example.com", "user1password").status == 200)
    }
  }

  @Test func aSecondImportReplacesOnlyIfItMay() async throws {
    let accounts = try await TestAccounts()
    for (name, mayReplace) in [("First", true), ("Second", false), ("Third", true)] {
      let user = JSONValue.object([("localId", "u1"), ("displayName", .string(name))])
      let answer = await accounts.administer(
        ":batchCreate", [("users", .array([user])), ("allowOverwrite", .boolean(mayReplace))])
      #expect(answer.json["error"]?.elements.count ?? 0 == (mayReplace ? 0 : 1))
    }
    let found = await accounts.administer(":lookup", [("localId", .array(["u1"]))])
    #expect(found.user["displayName"]?.string == "Third")
  }

  @Test(arguments: [
    ("BCRYPT", "INVALID_HASH_ALGORITHM"), ("", "MISSING_HASH_ALGORITHM"),
    ("STANDARD_SCRYPT", "INVALID_HASH_PARAMETER_RANGE"),
    ("PBKDF2_SHA256", "INVALID_HASH_PARAMETER_RANGE"),
  ])
  func algorithmsThatCannotBeUsedAreRefused(name: String, refusal: String) async throws {
    let accounts = try await TestAccounts()
    let answer = await accounts.administer(
      ":batchCreate", [("users", .array([Self.user])), ("hashAlgorithm", .string(name))])
    #expect(answer.refusal == refusal)
  }

  @Test func listsAreSorted() async throws {
    let accounts = try await TestAccounts()
    for id in ["b", "a", "c/d", "%2F"] {
      await accounts.administer("", [("localId", .string(id))])
      accounts.move(seconds: 1)
    }
    func ids(_ members: [(String, JSONValue)]) async -> [String] {
      await accounts.administer(":query", members).json["userInfo"]?.elements.map {
        $0["localId"]?.string ?? ""
      } ?? []
    }
    #expect(await ids([]) == ["%2F", "a", "b", "c/d"])
    #expect(await ids([("sortBy", "CREATED_AT")]) == ["b", "a", "c/d", "%2F"])
    #expect(
      await ids([("sortBy", "CREATED_AT"), ("order", "DESC"), ("limit", .integer(2))])
        == ["%2F", "c/d"])
    #expect(await ids([("expression", .array([["userId": "c/d"]]))]) == ["c/d"])
  }

  @Test func clearingLeavesNothing() async throws {
    let accounts = try await TestAccounts()
    let user = await accounts.signUp("ada@example.com")
    let other = await accounts.answer(
      AccountRequest(
        "POST", "/v1/projects/other/accounts", authorization: "Bearer owner",
        json: ["localId": "u1"]))
    #expect(other.status == 200)
    let cleared = await accounts.answer(
      AccountRequest("DELETE", "/emulator/v1/projects/demo-auth/accounts"))
    #expect(cleared.status == 200)
    #expect(await accounts.refresh(user.text("refreshToken")).refusal == "INVALID_REFRESH_TOKEN")
    #expect(await accounts.signUp("ada@example.com").status == 200)
    // Projects share nothing.
    let kept = await accounts.answer(
      AccountRequest(
        "POST", "/v1/projects/other/accounts:lookup", authorization: "Bearer owner",
        json: ["localId": .array(["u1"])]))
    #expect(kept.user["localId"]?.string == "u1")
  }
}
