import HearthFirestoreJSON
package import HearthTokens

/// The check of custom tokens that a known key has signed (A§3.4).
package struct SignedCustomTokens: CustomTokenCheck {
  private static let longestTime: Int64 = 3600
  private static let skew: Int64 = 60

  private let keys: KeyRing

  /// - Parameter keys: the keys of the server, which an application's own server may sign with.
  package init(_ keys: KeyRing) {
    self.keys = keys
  }

  /// Returns the signer of tokens by the server's own keys.
  package static func ownSigner(ofProject project: String) -> String {
    "firebase-adminsdk@\(project).iam.gserviceaccount.com"
  }

  package func claims(
    of token: String, for project: String, at now: Int64
  ) async throws(AccountError) -> CustomTokenClaims {
    let parsed: WebToken
    do {
      parsed = try WebToken(token)
    } catch {
      throw AccountError("INVALID_CUSTOM_TOKEN", "Invalid assertion format")
    }
    let claims = JSONValue.object(parsed.claims)
    let audience = claims["aud"]?.string ?? ""
    guard audience == CustomTokenClaims.audience else {
      throw AccountError("INVALID_CUSTOM_TOKEN", "((Invalid aud (audience): \(audience)))")
    }
    guard let signer = claims["iss"]?.string, signer == claims["sub"]?.string,
      isSigned(parsed, by: signer, for: project)
    else { throw AccountError("CREDENTIAL_MISMATCH") }
    guard case .integer(let issued)? = claims["iat"], case .integer(let end)? = claims["exp"],
      issued <= now + SignedCustomTokens.skew, end <= issued + SignedCustomTokens.longestTime
    else {
      throw AccountError(
        "INVALID_CUSTOM_TOKEN",
        "The token must have iat, and exp at most \(SignedCustomTokens.longestTime) seconds later.")
    }
    guard end > now else { throw .tokenExpired }
    return try CustomTokenClaims(parsed.claims)
  }

  private func isSigned(_ token: WebToken, by signer: String, for project: String) -> Bool {
    guard signer == SignedCustomTokens.ownSigner(ofProject: project) else { return false }
    return (try? token.checkSignature(by: keys.verification)) != nil
  }
}
