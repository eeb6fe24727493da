package import HearthFirestoreJSON
import HearthTokens

/// The check of providers' credentials.
package protocol ProviderCheck: Sendable {
  /// Returns what a credential proves.
  ///
  /// - Parameter now: seconds since 1970.
  /// - Throws: `INVALID_IDP_RESPONSE`, `MISSING_OR_INVALID_NONCE` and others of production's names
  ///   for a credential that isn't good (A§7).
  func credential(
    of assertion: ProviderAssertion, at now: Int64
  ) async throws(AccountError) -> ProviderCredential
}

/// A credential that was good.
package struct ProviderCredential: Sendable {
  /// The user that it is for.
  package let user: ProviderUser
  /// The nonce that it uses up; `nil` for a credential that is good again.
  package let nonce: UsedNonce?

  package init(user: ProviderUser, nonce: UsedNonce?) {
    self.user = user
    self.nonce = nonce
  }
}

/// The check of the emulator: nothing is asked of any provider. A token without a signature, a real
/// one, and a text of JSON are taken as they are (A§2.4).
struct FakeProviders: ProviderCheck {
  func credential(
    of assertion: ProviderAssertion, at now: Int64
  ) async throws(AccountError) -> ProviderCredential {
    let claims: [(String, JSONValue)]
    if let token = assertion.idToken {
      guard let members = FakeToken.claims(of: token) else {
        throw AccountError(
          "INVALID_IDP_RESPONSE",
          "Unable to parse id_token: \(token) "
            + "((Auth Emulator only accepts strict JSON or JWTs as fake id_tokens.))")
      }
      claims = members
    } else if let token = assertion.accessToken {
      guard let members = FakeToken.claims(of: token) else {
        throw .notImplemented("A sign-in by an access_token that is neither JSON nor a JWT")
      }
      claims = members
    } else {
      throw assertion.refusal
    }
    let json = JSONValue.object(claims)
    guard let subject = json["sub"]?.string, !subject.isEmpty else {
      throw AccountError(
        "INVALID_IDP_RESPONSE",
        "Invalid Idp Response: id_token missing required fields. ((Missing \"sub\" field. This "
          + "field is required and must be a unique identifier.))")
    }
    try NonceCheck.check(json["nonce"]?.string, against: assertion.nonce)
    return ProviderCredential(
      user: try ProviderUser(subject, claims: json, of: assertion), nonce: nil)
  }
}

/// The comparison of the nonce in a token with that of the request (A§7.1).
package enum NonceCheck {
  /// The refusal of a request without the nonce that its token has.
  static let missing = AccountError(
    "MISSING_OR_INVALID_NONCE", "Nonce is missing in the request.")

  /// - Throws: `MISSING_OR_INVALID_NONCE` if there are both, and the first isn't the hash of the
  ///   second.
  package static func check(_ hashed: String?, against nonce: String?) throws(AccountError) {
    guard let hashed, let nonce, hashed != Secret.digest(nonce) else { return }
    throw AccountError(
      "MISSING_OR_INVALID_NONCE",
      "The nonce in ID Token \"\(hashed)\" does not match the SHA256 hash of the raw nonce "
        + "\"\(nonce)\" in the request.")
  }
}

extension ProviderUser {
  /// Makes the user that the claims of a credential describe.
  ///
  /// - Throws: `INVALID_EMAIL` for claims with an address that is none.
  package init(
    _ subject: String, claims: JSONValue, of assertion: ProviderAssertion
  ) throws(AccountError) {
    var email: String?
    if let text = claims["email"]?.string, !text.isEmpty { email = try ContactRules.email(text) }
    // Apple has sent texts too.
    let isVerified =
      switch claims["email_verified"] {
      case .boolean(let flag)?: flag
      case .string(let text)?: text == "true"
      default: false
      }
    let name = ["name", "displayName", "screen_name"].lazy.compactMap { claims[$0]?.string }.first
    self.init(
      identity: Account.Identity(
        providerID: assertion.providerID, rawID: subject, email: email,
        displayName: assertion.fullName ?? name,
        photoURL: claims["picture"]?.string ?? claims["photoUrl"]?.string),
      isEmailVerified: isVerified, claims: claims.line, idToken: assertion.idToken,
      accessToken: assertion.accessToken)
  }
}
