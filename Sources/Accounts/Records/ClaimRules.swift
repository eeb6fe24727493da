import HearthFirestoreJSON

/// The rules for claims that are not the server's own (A§9.1).
package enum ClaimRules {
  /// The names that no such claim may have.
  package static let reserved: Set<String> = [
    "acr", "amr", "at_hash", "aud", "auth_time", "azp", "cnf", "c_hash", "exp", "iat", "iss", "jti",
    "nbf", "nonce", "sub", "firebase",
  ]
  private static let longest = 1000

  /// Checks the claims that an administrator sets.
  ///
  /// - Returns: the text; `nil` for the empty object, which has none.
  /// - Throws: `CLAIMS_TOO_LARGE`, `INVALID_CLAIMS`, `FORBIDDEN_CLAIM`.
  static func checked(_ text: String) throws(AccountError) -> String? {
    guard text.count <= longest else { throw AccountError("CLAIMS_TOO_LARGE") }
    guard let members = members(text) else { throw AccountError("INVALID_CLAIMS") }
    for (name, _) in members where reserved.contains(name) {
      throw AccountError("FORBIDDEN_CLAIM", name)
    }
    return members.isEmpty ? nil : text
  }

  /// Returns the claims in a text; `nil` for a text that is no object.
  static func members(_ text: String) -> [(String, JSONValue)]? {
    JSONValue.members(parsing: Array(text.utf8))
  }
}
