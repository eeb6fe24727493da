import HearthDocumentModel
package import HearthFirestoreJSON

/// Tokens that are signed by RS256 with a key of the server's, and checked.
package struct SignedTokens: TokenIssuer {
  /// Seconds by which another machine's clock may be ahead.
  private static let skew: Int64 = 60
  private static let issuer = "https://securetoken.google.com/"

  private let keys: KeyRing

  package init(_ keys: KeyRing) {
    self.keys = keys
  }

  /// Returns the name of the issuer of a project's ID tokens.
  package static func issuer(ofProject project: String) -> String { issuer + project }

  package func token(_ claims: [(String, JSONValue)]) throws(TokenError) -> String {
    let header: [(String, JSONValue)] = [
      ("alg", .string("RS256")), ("kid", .string(keys.signingName)), ("typ", .string("JWT")),
    ]
    return try signed(header, claims)
  }

  package func sessionCookie(_ claims: [(String, JSONValue)]) throws(TokenError) -> String {
    try signed([("alg", .string("RS256")), ("kid", .string(keys.signingName))], claims)
  }

  private func signed(
    _ header: [(String, JSONValue)], _ claims: [(String, JSONValue)]
  ) throws(TokenError) -> String {
    let text = WebToken.part(header) + "." + WebToken.part(claims)
    return text + "." + Base64.text(of: try keys.signature(of: Array(text.utf8)), .url)
  }

  package func claims(
    _ token: String, for project: String?, at now: Int64
  ) throws(TokenError) -> [(String, JSONValue)] {
    let token = try WebToken(token)
    try token.checkSignature(by: keys.verification)
    let claims = Dictionary(token.claims, uniquingKeysWith: { $1 })
    guard case .string(let audience)? = claims["aud"], project == nil || audience == project
    else { throw .wrongAudience }
    guard case .string(let issuer)? = claims["iss"],
      issuer == SignedTokens.issuer(ofProject: audience)
    else { throw .wrongIssuer }
    guard case .string(let subject)? = claims["sub"],
      (1...128).contains(subject.unicodeScalars.count)
    else { throw .noSubject }
    guard case .integer(let end)? = claims["exp"], end > now else { throw .expired }
    for name in ["iat", "auth_time"] {
      guard case .integer(let time)? = claims[name], time <= now + SignedTokens.skew
      else { throw .notYetGood }
    }
    return token.claims
  }
}
