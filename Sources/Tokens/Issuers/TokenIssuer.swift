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
  /// - Parameters:
  ///   - project: the project that the token must be for; `nil` for any.
  ///   - now: the time, in seconds since 1970.
  /// - Throws: the first check that it doesn't pass.
  func claims(
    _ token: String, for project: String?, at now: Int64
  ) throws(TokenError) -> [(String, JSONValue)]
}
