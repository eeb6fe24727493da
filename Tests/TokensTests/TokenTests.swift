import HearthDocumentModel
import HearthFirestoreJSON
import HearthTokens
import TestSupport
import Testing

@Suite struct TokenTests {
  private static let claims: [(String, JSONValue)] = [
    ("sub", .string("käthe")), ("iat", .integer(1_700_000_000)), ("admin", .boolean(true)),
  ]

  @Test func anUnsignedTokenHasThreePartsOfWhichTheLastIsEmpty() throws {
    let tokens = UnsignedTokens()
    let token = try tokens.token(Self.claims)
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    #expect(parts.count == 3 && parts[2].isEmpty)
    #expect(
      Base64.bytes(String(parts[0])).map { String(decoding: $0, as: UTF8.self) }
        == #"{"alg":"none","typ":"JWT"}"#)
    #expect(
      try JSONValue.object(tokens.claims(token, for: nil, at: 0)).text
        == JSONValue.object(Self.claims).text)
  }

  @Test(arguments: [
    "", ".", "..", "a.b", "e30.e30", "e30.W10.", "W10.e30.", "e30.e30.x.y", "e3*.e30.",
    "e30.bm9qc29u.",
  ])
  func otherTextsAreRefused(_ text: String) {
    #expect(throws: TokenError.malformed) { try UnsignedTokens().claims(text, for: nil, at: 0) }
  }

  @Test func aTokenThatIsTooLongIsNotRead() {
    let long = "e30.e30." + String(repeating: "a", count: WebToken.lengthLimit)
    #expect(throws: TokenError.malformed) { try UnsignedTokens().claims(long, for: nil, at: 0) }
    #expect(throws: Never.self) { try UnsignedTokens().claims("e30.e30.", for: nil, at: 0) }
  }

  /// Tokens with bytes changed, cut and repeated, and texts of their letters.
  @Test func damagedTokensNeverTrap() throws {
    let count = GeneratedCases.count(unlessTold: 20_000)
    let seed = GeneratedCases.seed(count: count)
    var random = SplitMix64(seed: seed)
    let token = Array(try UnsignedTokens().token(Self.claims).utf8)
    let letters = Array("abcABC019-_.=+/ \u{0}".utf8)
    var refusedCount = 0
    for _ in 0..<count {
      var bytes = token
      for _ in 0...Int.random(in: 0..<4, using: &random) {
        let index = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[index] = letters.randomElement(using: &random) ?? 0
        case 1: bytes.removeSubrange(index..<min(bytes.count - 1, index + 3))
        default: bytes.insert(bytes[index], at: index)
        }
        if bytes.isEmpty { bytes = token }
      }
      do {
        _ = try UnsignedTokens().claims(
          String(decoding: bytes, as: UTF8.self), for: nil, at: 0)
      } catch {
        refusedCount += 1
      }
    }
    #expect(refusedCount > count / 20)
  }
}

@Suite struct SecretTests {
  @Test func digestsAreThoseOfSHA256() {
    #expect(
      Secret.digest("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  }

  @Test func secretsDiffer() {
    let secrets = Set((0..<1000).map { _ in Secret.random() })
    #expect(secrets.count == 1000)
    #expect(secrets.allSatisfy { $0.utf8.count == 43 && Base64.bytes($0)?.count == 32 })
  }

  @Test(arguments: [
    ("", "", true), ("a", "", false), ("", "a", false), ("ab", "ab", true),
    ("ab", "abab", false), ("abab", "ab", false), ("ab", "ac", false),
  ])
  func comparisonsAreOfWholeTexts(_ secret: String, _ offered: String, _ isEqual: Bool) {
    #expect(Secret.isEqual(secret, offered) == isEqual)
  }
}
