import HearthAccounts
import HearthFirestoreJSON
import Testing

/// Choices of the owner of a server: switches, password policy, domains.
@Suite struct ConfigurationTests {
  private static let config = "/v2/projects/demo-auth/config"

  private func patch(_ accounts: TestAccounts, _ body: JSONValue) async -> AccountAnswer {
    await accounts.answer(
      AccountRequest("PATCH", Self.config, authorization: "Bearer owner", json: body))
  }

  // MARK: Switches

  @Test func anAdministratorCantChangeWhatTheOwnerHasSet() async throws {
    var mode = AccountMode.unsigned()
    mode.settings.fixed.protectsEmails = true
    let accounts = try await TestAccounts(mode)
    #expect(await accounts.signIn("ada@example.com").refusal == "INVALID_LOGIN_CREDENTIALS")
    let privacy = "enableImprovedEmailPrivacy"
    let refused = await patch(accounts, ["emailPrivacyConfig": [privacy: false]])
    #expect(refused.refusal?.hasPrefix("OPERATION_NOT_ALLOWED : ") == true)
    // The same value, and another switch, are no change of it.
    let taken = await patch(
      accounts, ["emailPrivacyConfig": [privacy: true], "signIn": ["allowDuplicateEmails": true]])
    #expect(taken.json["signIn"]?["allowDuplicateEmails"]?.line == "true")
    #expect(taken.json["emailPrivacyConfig"]?[privacy]?.line == "true")
  }

  @Test func theOwnersSwitchesHoldOverEarlierChanges() async throws {
    var settings = SettingSources()
    settings.usual.protectsEmails = true
    settings.fixed.allowsDuplicateEmails = false
    var changes = SettingChanges()
    changes.allowsDuplicateEmails = true
    changes.protectsEmails = false
    changes.authorizedDomains = ["a.example"]
    let held = settings.settings(with: changes)
    #expect(!held.allowsDuplicateEmails && !held.protectsEmails)
    #expect(held.authorizedDomains == ["a.example"] && held.allowsAnonymous)
  }

  @Test func severalAccountsHaveOneAddressIfTheOwnerSaysSo() async throws {
    for allows in [true, false] {
      var mode = AccountMode.unsigned()
      mode.settings.fixed.allowsDuplicateEmails = allows
      let accounts = try await TestAccounts(mode)
      let first = await accounts.signUp("ada@example.com")
      let second = await accounts.signInWithApple("apple-ada", email: "ada@example.com")
      #expect((first.text("localId") == second.text("localId")) == !allows)
    }
  }

  // MARK: Passwords

  private static let strict: PasswordPolicy = {
    var policy = PasswordPolicy()
    policy.minimumLength = 8
    policy.maximumLength = 12
    policy.classes = Set(PasswordPolicy.CharacterClass.allCases)
    return policy
  }()

  private static let missing: [(password: String, requirements: [String])] = [
    (
      "",
      [
        "Password must contain at least 8 characters",
        "Password must contain a lower case character",
        "Password must contain an upper case character",
        "Password must contain a numeric character",
        "Password must contain a non-alphanumeric character",
      ]
    ),
    ("Aa1.567", ["Password must contain at least 8 characters"]),
    ("Aa1.567890123", ["Password may contain at most 12 characters"]),
    ("AA1.5678", ["Password must contain a lower case character"]),
    ("aa1.5678", ["Password must contain an upper case character"]),
    ("Aab.cdef", ["Password must contain a numeric character"]),
    ("Aa1é5678", ["Password must contain a non-alphanumeric character"]),
    (
      "ÄÖÜéßñ.1",
      [
        "Password must contain a lower case character",
        "Password must contain an upper case character",
      ]
    ),
  ]

  @Test func eachMissingRequirementIsTold() throws {
    for (password, requirements) in Self.missing {
      let error = #expect(throws: AccountError.self) { try Self.strict.check(password) }
      #expect(
        error?.message
          == "PASSWORD_DOES_NOT_MEET_REQUIREMENTS : Missing password requirements: "
          + "[\(requirements.joined(separator: ", "))]")
    }
    for password in ["Aa1.5678", "Aa1.56789012"] {
      #expect(throws: Never.self) { try Self.strict.check(password) }
    }
  }

  @Test func everyNewPasswordMeetsThePolicy() async throws {
    var mode = AccountMode.unsigned()
    mode.passwordPolicy = Self.strict
    let accounts = try await TestAccounts(mode)
    let user = await accounts.signUp("ada@example.com", "Aa1.5678")
    let token = JSONValue.string(user.text("idToken"))
    await accounts.call(
      "sendOobCode", [("requestType", "PASSWORD_RESET"), ("email", "ada@example.com")])
    let code = JSONValue.string(await accounts.code(for: "ada@example.com"))
    for answer in [
      await accounts.signUp("bob@example.com"),
      await accounts.call("update", [("idToken", token), ("password", "secret12")]),
      await accounts.call("resetPassword", [("oobCode", code), ("newPassword", "secret12")]),
      await accounts.administer("", [("email", "eve@example.com"), ("password", "secret12")]),
    ] {
      #expect(answer.refusal?.hasPrefix("PASSWORD_DOES_NOT_MEET_REQUIREMENTS : ") == true)
    }
    let policy = await accounts.answer(AccountRequest("GET", "/v2/passwordPolicy?key=k"))
    #expect(policy.text("enforcementState") == "ENFORCE")
    let options = try #require(policy.json["customStrengthOptions"])
    #expect(
      options.line == #"{"minPasswordLength":8,"maxPasswordLength":12,"#
        + #""containsLowercaseCharacter":true,"containsUppercaseCharacter":true,"#
        + #""containsNumericCharacter":true,"containsNonAlphanumericCharacter":true}"#)
  }

  @Test func withoutAPolicySixCharactersAreEnough() async throws {
    let accounts = try await TestAccounts()
    #expect(
      await accounts.signUp("ada@example.com", "12345").refusal
        == "WEAK_PASSWORD : Password should be at least 6 characters")
    #expect(await accounts.signUp("ada@example.com", "123456").status == 200)
    let long = String(repeating: "é", count: 2049)
    #expect(
      await accounts.signUp("bob@example.com", long).refusal?
        .hasPrefix("PASSWORD_DOES_NOT_MEET_REQUIREMENTS : ") == true)
  }

  // MARK: Domains

  private func link(_ accounts: TestAccounts, to address: String) async -> AccountAnswer {
    await accounts.call(
      "sendOobCode",
      [
        ("requestType", "PASSWORD_RESET"), ("email", "ada@example.com"),
        ("continueUrl", .string(address)),
      ])
  }

  @Test func linksLeadToAuthorizedDomainsAlone() async throws {
    var mode = AccountMode.unsigned()
    mode.settings.fixed.authorizedDomains = ["app.example"]
    let accounts = try await TestAccounts(mode)
    _ = await accounts.signUp("ada@example.com")
    for address in [
      "https://app.example", "http://APP.example:8080/x?y#z", "https://www.app.example/",
    ] {
      #expect(await link(accounts, to: address).status == 200, "\(address)")
    }
    for address in [
      "https://evil.example", "https://evil.example/app.example", "https://evilapp.example",
      "https://app.example.evil", "https://evil.example#.app.example", "http://localhost",
      "https://evil.example\\.app.example", "https://evil.example?.app.example",
      "https://evil.example／.app.example", "https://evil.example%2f.app.example",
      "https://[::1].app.example", "https://:443", "https://evil.example\\@app.example",
    ] {
      #expect(
        await link(accounts, to: address).refusal
          == "UNAUTHORIZED_DOMAIN : Domain not allowlisted by project", "\(address)")
    }
    for address in [
      "https://app.example@evil.example", "app.example",
      "javascript://app.example", "https:///app.example", "//app.example",
    ] {
      let refusal = await link(accounts, to: address).refusal
      #expect(refusal?.hasPrefix("INVALID_CONTINUE_URI : ") == true, "\(address)")
    }
    let project = await accounts.answer(AccountRequest("GET", "/v1/projects?key=k"))
    #expect(project.json["authorizedDomains"]?.line == #"["app.example"]"#)
  }

  @Test func theEmulatorsLinksLeadAnywhereUnlessDomainsAreSet() async throws {
    let accounts = try await TestAccounts()
    _ = await accounts.signUp("ada@example.com")
    #expect(await link(accounts, to: "https://any.example").status == 200)
    _ = await patch(accounts, ["authorizedDomains": .array(["app.example"])])
    #expect(await link(accounts, to: "https://any.example").status == 400)
    #expect(await link(accounts, to: "https://app.example").status == 200)
  }
}
