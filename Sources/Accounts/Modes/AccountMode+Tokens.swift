import HearthFirestoreJSON
import HearthTokens

extension AccountMode {
  /// Returns the claims of an ID token that is good.
  ///
  /// - Throws: `INVALID_ID_TOKEN`.
  func claims(ofIDToken token: String) throws(AccountError) -> [(String, JSONValue)] {
    do {
      return try tokens.claims(token)
    } catch {
      throw AccountError("INVALID_ID_TOKEN")
    }
  }
}
