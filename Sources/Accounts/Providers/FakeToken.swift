import HearthFirestoreJSON
import HearthTokens

/// A token of the emulator's: a JWT whose signature no one looks at, or JSON.
enum FakeToken {
  /// Returns the claims of a token; `nil` for a text that is none.
  static func claims(of token: String) -> [(String, JSONValue)]? {
    if token.hasPrefix("{") { return JSONValue.members(parsing: Array(token.utf8)) }
    return payload(ofJWT: token)
  }

  /// Returns the payload of a JWT; `nil` for a text that is none.
  static func payload(ofJWT token: String) -> [(String, JSONValue)]? {
    (try? WebToken(token))?.claims
  }
}
