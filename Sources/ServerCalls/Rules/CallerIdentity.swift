import HearthDocumentModel
package import HearthFirestoreJSON
package import HearthSecurityRules

/// The identity of a caller, as security rules see it.
package enum CallerIdentity: Sendable {
  /// A caller whom no rules judge.
  case administrator
  /// A user; `nil` for one who isn't signed in. A token that was checked has its limits.
  case user(RulesAuth?, TokenLimits? = nil)

  /// Makes the user of a token with these claims.
  package static func user(
    claims: [(String, JSONValue)], within limits: TokenLimits? = nil
  ) -> CallerIdentity {
    .user(RulesAuth(claims: MapValue(plain: claims)), limits)
  }
}

/// The circumstances under which a token that was good is so no longer.
package struct TokenLimits: Sendable {
  package let project: String
  package let accountID: String
  /// The seconds of the sign-in, of the token, and of its end.
  package let authTime: Int64
  package let issuedAt: Int64
  package let expires: Int64

  package init(
    project: String, accountID: String, authTime: Int64, issuedAt: Int64, expires: Int64
  ) {
    self.project = project
    self.accountID = accountID
    self.authTime = authTime
    self.issuedAt = issuedAt
    self.expires = expires
  }
}
