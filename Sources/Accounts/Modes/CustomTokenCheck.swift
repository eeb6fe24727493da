package import HearthFirestoreJSON

/// The check of custom tokens, which an application's own server makes (A§3.4).
package protocol CustomTokenCheck: Sendable {
  /// Returns the claims of a token: those of the token itself, such as `uid`.
  ///
  /// - Parameters:
  ///   - project: the project of the call.
  ///   - now: the time, in seconds since 1970.
  /// - Throws: `INVALID_CUSTOM_TOKEN`, `CREDENTIAL_MISMATCH`, `TOKEN_EXPIRED`.
  func claims(
    of token: String, for project: String, at now: Int64
  ) async throws(AccountError) -> CustomTokenClaims
}

/// The claims of a custom token that count.
package struct CustomTokenClaims: Sendable {
  /// The user that is signed in.
  package let accountID: String
  /// The claims for the user's tokens.
  package let claims: [(String, JSONValue)]

  /// The audience that each custom token is for.
  package static let audience =
    "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit"

  /// Reads the members of a token.
  ///
  /// - Throws: `MISSING_IDENTIFIER` for a token without a user; `INVALID_CUSTOM_TOKEN` and
  ///   `FORBIDDEN_CLAIM` for claims that can't be taken.
  package init(_ members: [(String, JSONValue)]) throws(AccountError) {
    let json = JSONValue.object(members)
    guard let id = json["uid"]?.string ?? json["user_id"]?.string, !id.isEmpty else {
      throw AccountError("MISSING_IDENTIFIER")
    }
    guard id.count <= 128 else { throw AccountError("INVALID_LOCAL_ID") }
    accountID = id
    switch json["claims"] {
    case nil, .null?: claims = []
    case .object(let members)?: claims = members
    default: throw AccountError("INVALID_CUSTOM_TOKEN", "The claims are no object.")
    }
    for (name, _) in claims where ClaimRules.reserved.contains(name) {
      throw AccountError("FORBIDDEN_CLAIM", name)
    }
  }
}

/// The check of the emulator: any token is good that is for it, and JSON too.
struct FakeCustomTokens: CustomTokenCheck {
  func claims(
    of token: String, for project: String, at now: Int64
  ) async throws(AccountError) -> CustomTokenClaims {
    if token.hasPrefix("{"), let members = FakeToken.claims(of: token) {
      return try CustomTokenClaims(members)
    }
    guard let members = FakeToken.payload(ofJWT: token) else {
      throw AccountError("INVALID_CUSTOM_TOKEN", "Invalid assertion format")
    }
    let audience = JSONValue.object(members)["aud"]?.string ?? ""
    guard audience == CustomTokenClaims.audience else {
      throw AccountError("INVALID_CUSTOM_TOKEN", "((Invalid aud (audience): \(audience)))")
    }
    return try CustomTokenClaims(members)
  }
}
