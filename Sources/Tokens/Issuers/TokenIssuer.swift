package import HearthFirestoreJSON

/// Makes tokens of a server, and reads those that it takes.
package protocol TokenIssuer: Sendable {
  /// Returns an ID token with these claims.
  ///
  /// - Throws: `unusableKey` if it can't be signed.
  func token(_ claims: [(String, JSONValue)]) throws(TokenError) -> String

  /// Returns a session cookie with these claims.
  ///
  /// - Throws: `unusableKey` if it can't be signed.
  func sessionCookie(_ claims: [(String, JSONValue)]) throws(TokenError) -> String

  /// Returns the claims of an ID token that is good.
  ///
  /// - Throws: the first check that it doesn't pass.
  func claims(_ token: String) throws(TokenError) -> [(String, JSONValue)]
}
