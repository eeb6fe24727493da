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

/// The reason for which a token isn't taken, or can't be made.
package enum TokenError: Error, Equatable {
  /// It is no token: not three parts of base64url with JSON in the first two, or too long.
  case malformed
  /// The key of the server can't sign.
  case unusableKey
}

extension TokenError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .malformed: "the token isn't three parts of base64url with objects of JSON"
    case .unusableKey: "the key can't sign"
    }
  }
}
