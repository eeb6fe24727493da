package import HearthFirestoreJSON

/// The tokens of an emulator, which bear no signature: whoever can write one is whoever it says.
///
/// Their time isn't checked either (A§8.3). For development alone.
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

  package func claims(_ token: String) throws(TokenError) -> [(String, JSONValue)] {
    try WebToken(token).claims
  }
}
