package import HearthFirestoreJSON

/// The tokens of an emulator, which bear no signature: anyone can write one, of any user.
///
/// Their time isn't checked either. For development alone.
package struct UnsignedTokens: TokenIssuer {
  private static let header: [(String, JSONValue)] = [
    ("alg", .string("none")), ("typ", .string("JWT")),
  ]

  package init() {}

  package func token(_ claims: [(String, JSONValue)]) throws(TokenError) -> String {
    // Readers want three parts, of which the last one is empty.
    WebToken.part(UnsignedTokens.header) + "." + WebToken.part(claims) + "."
  }

  package func sessionCookie(_ claims: [(String, JSONValue)]) throws(TokenError) -> String {
    try token(claims)
  }

  package func claims(
    _ token: String, for project: String?, at now: Int64
  ) throws(TokenError) -> [(String, JSONValue)] {
    try WebToken(token).claims
  }
}
