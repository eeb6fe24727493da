import HearthDocumentModel
import HearthFirestoreJSON
import HearthTokens
import TestSupport
import Testing

@Suite struct SignedTokenTests {
  private let own: KeyRing
  private let other: KeyRing
  private let tokens: SignedTokens

  init() throws {
    own = try #require(TokenForge.rings.first)
    other = try #require(TokenForge.rings.last)
    tokens = SignedTokens(own)
  }

  private func refusal(
    of token: String, for project: String? = TokenForge.project, at now: Int64 = TokenForge.now
  ) -> TokenError? {
    do throws(TokenError) {
      _ = try tokens.claims(token, for: project, at: now)
      return nil
    } catch {
      return error
    }
  }

  @Test func aTokenOfTheServersIsGood() throws {
    let token = try tokens.token(TokenForge.claims())
    #expect(refusal(of: token) == nil)
    #expect(refusal(of: token, for: nil) == nil)
    let header = try #require(Base64.bytes(TokenForge.parts(token)[0]))
    #expect(
      String(decoding: header, as: UTF8.self)
        == #"{"alg":"RS256","kid":"\#(own.signingName)","typ":"JWT"}"#)
  }

  @Test func aReaderVerifiesATokenByThePublishedKeys() throws {
    let token = try WebToken(try tokens.token(TokenForge.claims()))
    let key = try #require(try keys(of: own).first)
    #expect(throws: Never.self) { try token.checkSignature(by: [key]) }
    let others = try keys(of: other)
    #expect(throws: TokenError.unknownKey) { try token.checkSignature(by: others) }
  }

  /// Returns the keys of a published set, as a reader makes them.
  private func keys(of ring: KeyRing) throws -> [VerificationKey] {
    guard case .array(let members)? = TokenForge.member("keys", of: try ring.keySet()) else {
      return []
    }
    return try members.map { member in
      try VerificationKey(
        name: TokenForge.text("kid", of: member),
        modulus: try #require(Base64.bytes(TokenForge.text("n", of: member))),
        exponent: try #require(Base64.bytes(TokenForge.text("e", of: member))))
    }
  }

  // MARK: Those who try to get in

  private var names: [(String, JSONValue)] { [("kid", .string(own.signingName))] }

  @Test func noAlgorithmIsTakenFromTheHeader() throws {
    for name in ["none", "None", "", "HS256", "RS384", "PS256", "ES256", "rs256"] {
      let header = [("alg", JSONValue.string(name))] + names
      #expect(refusal(of: TokenForge.token(header)) == .wrongAlgorithm)
    }
    #expect(refusal(of: TokenForge.token(names)) == .wrongAlgorithm)
    #expect(refusal(of: TokenForge.token([("alg", .integer(0))] + names)) == .wrongAlgorithm)
    let unsigned = try UnsignedTokens().token(TokenForge.claims())
    #expect(refusal(of: unsigned) == .wrongAlgorithm)
  }

  @Test func thePublicKeyIsNoSecret() throws {
    let member = try #require(try keySetMember())
    let secrets = [
      member.text, Array(TokenForge.text("n", of: member).utf8),
      try #require(Base64.bytes(TokenForge.text("n", of: member))), Array(own.signingName.utf8),
    ]
    for secret in secrets {
      let header = [("alg", JSONValue.string("HS256"))] + names
      #expect(refusal(of: TokenForge.token(header, bySecret: secret)) == .wrongAlgorithm)
      let claimed = [("alg", JSONValue.string("RS256"))] + names
      #expect(refusal(of: TokenForge.token(claimed, bySecret: secret)) == .wrongSignature)
    }
  }

  private func keySetMember() throws -> JSONValue? {
    guard case .array(let members)? = TokenForge.member("keys", of: try own.keySet()) else {
      return nil
    }
    return members.first
  }

  @Test func theKeyOfAnotherServerIsUnknown() throws {
    let token = try SignedTokens(other).token(TokenForge.claims())
    #expect(refusal(of: token) == .unknownKey)
    // With the name of this server's key.
    let header = [("alg", JSONValue.string("RS256"))] + names
    let parts = TokenForge.parts(token)
    let renamed = TokenForge.parts(TokenForge.token(header))[0]
    #expect(refusal(of: "\(renamed).\(parts[1]).\(parts[2])") == .wrongSignature)
    for name in ["../../etc/passwd", "", "x"] {
      let header: [(String, JSONValue)] = [
        ("alg", .string("RS256")), ("kid", .string(name)),
      ]
      #expect(refusal(of: TokenForge.token(header)) == .unknownKey)
    }
    #expect(refusal(of: TokenForge.token([("alg", .string("RS256"))])) == .unknownKey)
  }

  @Test func anotherPayloadNeedsAnotherSignature() throws {
    let ada = TokenForge.parts(try tokens.token(TokenForge.claims()))
    let bob = TokenForge.parts(try tokens.token(TokenForge.claims(["sub": .string("bob")])))
    #expect(refusal(of: "\(ada[0]).\(bob[1]).\(ada[2])") == .wrongSignature)
    for end in ["", "AAAA", String(ada[2].dropLast(4)), ada[2] + "AAAA"] {
      #expect(refusal(of: "\(ada[0]).\(ada[1]).\(end)") == .wrongSignature)
    }
    #expect(refusal(of: "\(ada[0]).\(ada[1])") == .malformed)
    #expect(refusal(of: "\(ada[0]).\(ada[1]).\(ada[2]).\(ada[2])") == .malformed)
  }

  /// A claim with another value, `null` for none, and the refusal of it.
  private static let wrongClaims: [(name: String, value: JSONValue, error: TokenError)] = [
    ("aud", .string("demo-other"), .wrongAudience),
    ("aud", .array([.string("demo-auth")]), .wrongAudience), ("aud", .null, .wrongAudience),
    ("iss", .string("https://securetoken.google.com/demo-other"), .wrongIssuer),
    ("iss", .string("https://session.firebase.google.com/demo-auth"), .wrongIssuer),
    ("iss", .null, .wrongIssuer), ("sub", .string(""), .noSubject), ("sub", .null, .noSubject),
    ("sub", .integer(1), .noSubject),
    ("sub", .string(String(repeating: "a", count: 129)), .noSubject),
    ("exp", .integer(TokenForge.now), .expired), ("exp", .null, .expired),
    ("exp", .double(1e300), .expired), ("exp", .string("9999999999"), .expired),
    ("iat", .integer(TokenForge.now + 61), .notYetGood), ("iat", .null, .notYetGood),
    ("iat", .integer(.max), .notYetGood),
    ("auth_time", .integer(TokenForge.now + 61), .notYetGood), ("auth_time", .null, .notYetGood),
  ]

  @Test func eachClaimIsChecked() throws {
    for (name, value, error) in Self.wrongClaims {
      let token = try tokens.token(TokenForge.claims([name: value]))
      #expect(refusal(of: token) == error, "\(name)")
    }
  }

  @Test func aTokenEndsAtItsSecond() throws {
    let token = try tokens.token(TokenForge.claims())
    #expect(refusal(of: token, at: TokenForge.now + 3599) == nil)
    #expect(refusal(of: token, at: TokenForge.now + 3600) == .expired)
    // Another machine's clock may be a minute ahead.
    #expect(refusal(of: token, at: TokenForge.now - 60) == nil)
    #expect(refusal(of: token, at: TokenForge.now - 61) == .notYetGood)
  }

  @Test func aTokenForAnyProjectIsOfItsOwnIssuer() throws {
    let mixed = TokenForge.claims(["aud": .string("demo-other")])
    #expect(refusal(of: try tokens.token(mixed), for: nil) == .wrongIssuer)
  }

  @Test func aSessionCookieIsNoToken() throws {
    let cookie = try tokens.sessionCookie(
      TokenForge.claims(["iss": .string("https://session.firebase.google.com/demo-auth")]))
    #expect(refusal(of: cookie) == .wrongIssuer)
  }

  /// Good tokens with bytes changed: what is taken says the same as before.
  @Test func damagedTokensAreRefused() throws {
    let count = GeneratedCases.count(unlessTold: 3_000)
    var random = SplitMix64(seed: GeneratedCases.seed(count: count))
    let token = Array(try tokens.token(TokenForge.claims()).utf8)
    let good = JSONValue.object(TokenForge.claims()).text
    let letters = Array("abcABC019-_.=+/{}\"\\: \u{0}".utf8)
    var takenCount = 0
    for _ in 0..<count {
      var bytes = token
      for _ in 0...Int.random(in: 0..<3, using: &random) {
        let index = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0, 1: bytes[index] = random.pick(letters)
        case 2: bytes.removeSubrange(index..<min(bytes.count - 1, index + 3))
        default: bytes.insert(bytes[index], at: index)
        }
        if bytes.isEmpty { bytes = token }
      }
      guard bytes != token,
        let claims = try? tokens.claims(
          String(decoding: bytes, as: UTF8.self), for: TokenForge.project, at: TokenForge.now)
      else { continue }
      takenCount += 1
      #expect(JSONValue.object(claims).text == good, "\(String(decoding: bytes, as: UTF8.self))")
    }
    // The last letter of a signature has bits that mean nothing.
    #expect(takenCount <= count / 50)
  }
}

/// The keys of a file.
@Suite struct KeyRingTests {
  @Test func theFirstKeySignsAndAllAreGood() throws {
    let pems = try (0..<2).map { _ in try KeyRing.newKey() }
    let before = try KeyRing(pem: pems[0])
    let after = try KeyRing(pem: "# new\n\(pems[1])\n# old\n\(pems[0])")
    #expect(after.signingName == (try KeyRing(pem: pems[1])).signingName)
    #expect(after.verification.map(\.name).contains(before.signingName))
    let old = try SignedTokens(before).token(TokenForge.claims())
    let new = try SignedTokens(after).token(TokenForge.claims())
    let readers = SignedTokens(after)
    for token in [old, new] {
      #expect(throws: Never.self) {
        try readers.claims(token, for: TokenForge.project, at: TokenForge.now)
      }
    }
    // A key that has left the file signs nothing any more.
    let later = SignedTokens(try KeyRing(pem: pems[1]))
    #expect(throws: TokenError.unknownKey) {
      try later.claims(old, for: TokenForge.project, at: TokenForge.now)
    }
  }

  @Test func theSetHasNoPrivateNumber() throws {
    let ring = try #require(TokenForge.rings.first)
    guard case .array(let members)? = TokenForge.member("keys", of: try ring.keySet()),
      case .object(let key)? = members.first
    else {
      Issue.record("the set has no key")
      return
    }
    #expect(key.map(\.0) == ["kty", "alg", "use", "kid", "n", "e"])
  }

  @Test(arguments: [
    ("", KeyError.noKey), ("no key", .noKey), ("-----BEGIN PRIVATE KEY-----\nAAAA", .noKey),
    ("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----", .unusable),
    ("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----", .noKey),
  ])
  func otherTextsAreRefused(text: String, error: KeyError) {
    #expect(throws: error) { try KeyRing(pem: text) }
  }
}
