import HearthAccounts
import HearthDocumentModel
import HearthFirestoreJSON
import HearthTokens
import TestSupport
import Testing

/// Tokens of providers in a server for strangers: only those of the provider itself get in.
@Suite struct SignedProviderTests {
  private let own: KeyRing
  private let other: KeyRing
  private let provider: TestProvider
  private let accounts: TestAccounts

  init() async throws {
    let rings = TestProvider.rings
    try #require(rings.count == 3)
    (own, other) = (rings[1], rings[2])
    provider = TestProvider([own])
    accounts = try await TestAccounts(provider.mode(rings[0]))
  }

  private func token(
    _ changes: [String: JSONValue] = [:], by ring: KeyRing? = nil
  ) throws -> String {
    try SignedTokens(ring ?? own).token(TestProvider.claims("apple-ada", changes))
  }

  @Test func aTokenOfTheProviderIsGood() async throws {
    let first = await accounts.signIn(
      byToken: try token(["email": "ada@example.com", "email_verified": "true"]))
    #expect(first.json["isNewUser"]?.line == "true")
    #expect(first.json["idToken"]?.claims["email_verified"]?.line == "true")
    #expect(first.json["idToken"]?.claims["firebase"]?["sign_in_provider"]?.string == "apple.com")
    let second = await accounts.signIn(byToken: try token(["aud": "com.example.web"]))
    #expect(second.text("localId") == first.text("localId"))
    let list = await accounts.signIn(
      byToken: try token(["aud": .array(["com.example.web", "com.example.app"])]))
    #expect(list.status == 200)
  }

  private static let expectedAudience =
    "does not match the expected audience com.example.app, com.example.web."
  /// A claim with another value, `null` for none, and the refusal.
  private static let wrongClaims: [(name: String, value: JSONValue, refusal: String)] = [
    (
      "iss", "https://evil.example",
      "The issuer in ID Token [https://evil.example] does not match the expected issuer "
        + "https://appleid.apple.com."
    ),
    ("iss", .null, "The issuer in ID Token [] does not match"),
    (
      "aud", "com.example.other", "The audience in ID Token [com.example.other] \(expectedAudience)"
    ),
    ("aud", .null, "The audience in ID Token [] \(expectedAudience)"),
    ("aud", .array([]), "The audience in ID Token [] \(expectedAudience)"),
    (
      "aud", .array(["com.example.app", "com.example.other"]),
      "The audience in ID Token [com.example.app, com.example.other] \(expectedAudience)"
    ),
    (
      "aud", .array(["com.example.app", .integer(1)]),
      "The audience in ID Token [com.example.app, ]"
    ),
    ("exp", .integer(TestProvider.now - 60), "ID Token issued at 1800000000 is stale to sign-in."),
    ("exp", .null, "The ID Token must have iat and exp, in seconds."),
    ("exp", .integer(.max), "The ID Token must have iat and exp, in seconds."),
    ("exp", "1800000600", "The ID Token must have iat and exp, in seconds."),
    ("iat", .integer(TestProvider.now + 61), "ID Token issued at 1800000061 is stale to sign-in."),
    ("iat", .null, "The ID Token must have iat and exp, in seconds."),
    ("sub", .null, "The ID Token has no subject."), ("sub", "", "The ID Token has no subject."),
    ("sub", .integer(1), "The ID Token has no subject."),
  ]

  @Test func eachClaimIsChecked() async throws {
    for (name, value, refusal) in Self.wrongClaims {
      let answer = await accounts.signIn(byToken: try token([name: value]))
      #expect(
        answer.refusal?.hasPrefix("INVALID_IDP_RESPONSE : \(refusal)") == true,
        "\(name): \(answer.refusal ?? "")")
    }
    // A minute is forgiven.
    for changes in [
      ["exp": JSONValue.integer(TestProvider.now - 59)],
      ["iat": .integer(TestProvider.now + 60)],
    ] {
      #expect(await accounts.signIn(byToken: try token(changes)).status == 200)
    }
  }

  @Test func noOtherSignatureIsTaken() async throws {
    let parts = try token().split(separator: ".").map(String.init)
    let forged = try token(by: other).split(separator: ".").map(String.init)
    let claims = TestProvider.claims("apple-ada")
    let wrong = "INVALID_IDP_RESPONSE : Unable to verify the ID Token signature."
    for token in [
      try UnsignedTokens().token(claims), forged.joined(separator: "."),
      "\(parts[0]).\(forged[1]).\(forged[2])", "\(parts[0]).\(parts[1]).",
      "\(parts[0]).\(parts[1]).AAAA", try HeaderForge.token("HS256", own.signingName, parts),
      try HeaderForge.token("none", own.signingName, parts),
      try HeaderForge.token("ES256", own.signingName, parts),
      try HeaderForge.token("RS256", "../keys", parts),
    ] {
      #expect(await accounts.signIn(byToken: token).refusal == wrong, "\(token)")
    }
    for text in ["x", "a.b", "\(parts[0]).\(parts[1])", parts.joined(separator: ".") + ".x"] {
      #expect(
        await accounts.signIn(byToken: text).refusal
          == "INVALID_IDP_RESPONSE : Unable to parse the ID Token.")
    }
    let json = await accounts.signInWithApple("apple-ada")
    #expect(json.refusal == "INVALID_IDP_RESPONSE : Unable to parse the ID Token.")
  }

  @Test func noDamagedTokenIsTaken() async throws {
    let good = try token().split(separator: ".").compactMap { Base64.bytes(String($0)) }
    try #require(good.count == 3)
    var random = SplitMix64(seed: 18)
    for _ in 0..<2_000 {
      var parts = good
      let part = Int.random(in: 0..<3, using: &random)
      let byte = Int.random(in: 0..<parts[part].count, using: &random)
      parts[part][byte] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      let token = parts.map { Base64.text(of: $0, .url) }.joined(separator: ".")
      let answer = await accounts.signIn(byToken: token)
      #expect(answer.status == 400 && answer.json["idToken"] == nil, "\(token)")
    }
  }

  @Test func onlyConfiguredProvidersAndIDTokensAreTaken() async throws {
    let unknown = await accounts.signIn(byToken: try token(), provider: "google.com")
    #expect(
      unknown.refusal
        == "OPERATION_NOT_ALLOWED : The identity provider configuration is not found.")
    let access = await accounts.call(
      "signInWithIdp",
      [
        ("requestUri", "http://localhost"),
        ("postBody", .string("providerId=apple.com&access_token=\(try token())")),
      ])
    #expect(access.refusal?.hasPrefix("INVALID_CREDENTIAL_OR_PROVIDER_ID : ") == true)
  }

  // MARK: Keys

  private func refusal(by ring: KeyRing) async throws -> String? {
    await accounts.signIn(
      byToken: try token(["exp": .integer(TestProvider.now + 100_000)], by: ring)
    )
    .refusal
  }

  @Test func anUnknownKeyIsAskedForOnceInAWhile() async throws {
    #expect(try await refusal(by: own) == nil)
    provider.publish([own, other])
    for _ in 0..<3 { #expect(try await refusal(by: other) != nil) }
    #expect(provider.fetchCount == 1)
    accounts.move(seconds: 60)
    #expect(try await refusal(by: other) == nil)
    #expect(provider.fetchCount == 2)
    // A key that is gone is known until the keys are fetched again.
    provider.publish([other])
    #expect(try await refusal(by: own) == nil)
    accounts.move(seconds: 3600)
    #expect(try await refusal(by: own) != nil)
    #expect(provider.fetchCount == 3)
  }

  @Test(arguments: [(nil, 3600), (1, 300), (7200, 7200), (.max, 86_400)] as [(Int64?, Int64)])
  func keysAreHeldForTheAgeThatTheProviderSays(age: Int64?, held: Int64) async throws {
    provider.publish([own], age: age)
    #expect(try await refusal(by: own) == nil)
    accounts.move(seconds: held - 1)
    #expect(try await refusal(by: own) == nil)
    #expect(provider.fetchCount == 1)
    accounts.move(seconds: 1)
    #expect(try await refusal(by: own) == nil)
    #expect(provider.fetchCount == 2)
  }

  @Test func oldKeysAreGoodWhileNoneCanBeFetched() async throws {
    #expect(try await refusal(by: own) == nil)
    provider.reach(false)
    accounts.move(seconds: 3600)
    for _ in 0..<2 { #expect(try await refusal(by: own) == nil) }
    #expect(provider.failures == ["unreachable"])
    provider.reach(true)
    provider.publish([other])
    accounts.move(seconds: 60)
    #expect(try await refusal(by: own) != nil)
  }

  @Test func withoutAnyKeysNoTokenIsJudged() async throws {
    provider.reach(false)
    for _ in 0..<2 {
      #expect(await accounts.signIn(byToken: try token()).status == 503)
    }
    #expect(provider.fetchCount == 1)
    accounts.move(seconds: 60)
    provider.reach(true)
    #expect(await accounts.signIn(byToken: try token()).status == 200)
  }

  @Test func allWaitForOneFetch() async throws {
    let gate = Gate()
    provider.hold(by: gate)
    let token = try token()
    await withTaskGroup(of: Int.self) { group in
      for _ in 0..<20 { group.addTask { await accounts.signIn(byToken: token).status } }
      gate.open()
      for await status in group { #expect(status == 200) }
    }
    #expect(provider.fetchCount == 1)
  }

  @Test func tokensWithoutASignatureCauseNoFetch() async throws {
    await accounts.signIn(byToken: try UnsignedTokens().token(TestProvider.claims("apple-ada")))
    await accounts.signIn(byToken: "x")
    #expect(provider.fetchCount == 0)
  }
}

/// Tokens with a header that tells of another signature than there is.
private enum HeaderForge {
  static func token(_ algorithm: String, _ key: String, _ parts: [String]) throws -> String {
    let header = JSONValue.object([("alg", .string(algorithm)), ("kid", .string(key))])
    return "\(Base64.text(of: header.text, .url)).\(parts[1]).\(parts[2])"
  }
}
