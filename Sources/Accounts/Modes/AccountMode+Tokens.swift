import HearthFirestoreJSON
import HearthTokens

extension AccountMode {
  /// Returns the claims of an ID token that is good.
  ///
  /// - Parameter now: seconds since 1970.
  /// - Throws: `TOKEN_EXPIRED`, and `INVALID_ID_TOKEN` for each other fault.
  func claims(
    ofIDToken token: String, for project: String, at now: Int64
  ) throws(AccountError) -> [(String, JSONValue)] {
    do {
      return try tokens.claims(token, for: project, at: now)
    } catch {
      throw error == .expired ? .tokenExpired : AccountError("INVALID_ID_TOKEN")
    }
  }
}
