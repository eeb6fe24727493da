import HearthFirestoreJSON
import HearthTokens

/// A provider whose ID tokens are taken.
package struct ConfiguredProvider: Sendable {
  /// The names that the provider has for the applications.
  let audiences: Set<String>
  /// The names by which the provider calls itself.
  let issuers: Set<String>
  let keys: ProviderKeys

  package init(audiences: Set<String>, issuers: Set<String>, keys: ProviderKeys) {
    self.audiences = audiences
    self.issuers = issuers
    self.keys = keys
  }
}

/// The check of ID tokens that known providers have signed by RS256 (A§7).
package struct CheckedProviders: ProviderCheck {
  /// Seconds by which another machine's clock may be wrong.
  private static let skew: Int64 = 60

  private let providers: [String: ConfiguredProvider]

  /// - Parameter providers: the providers by their ids.
  package init(_ providers: [String: ConfiguredProvider]) {
    self.providers = providers
  }

  package func credential(
    of assertion: ProviderAssertion, at now: Int64
  ) async throws(AccountError) -> ProviderCredential {
    guard let provider = providers[assertion.providerID] else {
      throw AccountError(
        "OPERATION_NOT_ALLOWED", "The identity provider configuration is not found.")
    }
    guard let text = assertion.idToken else { throw assertion.refusal }
    let token: WebToken
    do {
      token = try WebToken(text)
    } catch {
      throw .invalidToken("Unable to parse the ID Token.")
    }
    try await checkSignature(of: token, by: provider, at: now)
    let claims = JSONValue.object(token.claims)
    try check(claims, for: provider)
    let end = try end(of: claims, at: now)
    guard let subject = claims["sub"]?.string, !subject.isEmpty else {
      throw .invalidToken("The ID Token has no subject.")
    }
    let user = try ProviderUser(subject, claims: claims, of: assertion)
    guard let hash = claims["nonce"]?.string else {
      return ProviderCredential(user: user, nonce: nil)
    }
    guard assertion.nonce != nil else { throw NonceCheck.missing }
    try NonceCheck.check(hash, against: assertion.nonce)
    return ProviderCredential(
      user: user,
      nonce: UsedNonce(
        providerID: assertion.providerID, hash: hash, expires: (end + CheckedProviders.skew) * 1000)
    )
  }

  private func checkSignature(
    of token: WebToken, by provider: ConfiguredProvider, at now: Int64
  ) async throws(AccountError) {
    let header = JSONValue.object(token.header)
    var keys: [VerificationKey] = []
    if header["alg"]?.string == "RS256", let name = header["kid"]?.string {
      keys = await provider.keys.keys(with: name, at: now)
      guard !keys.isEmpty else {
        throw AccountError(
          status: 503, "The keys of the provider can't be fetched now. Try again later.")
      }
    }
    do {
      try token.checkSignature(by: keys)
    } catch {
      throw .invalidToken("Unable to verify the ID Token signature.")
    }
  }

  private func check(
    _ claims: JSONValue, for provider: ConfiguredProvider
  ) throws(AccountError) {
    let issuer = claims["iss"]?.string ?? ""
    guard provider.issuers.contains(issuer) else {
      let expected = provider.issuers.sorted().joined(separator: ", ")
      throw .invalidToken(
        "The issuer in ID Token [\(issuer)] does not match the expected issuer \(expected).")
    }
    let audiences: [String?] =
      switch claims["aud"] {
      case .string(let text)?: [text]
      case .array(let elements)?: elements.map(\.string)
      default: []
      }
    // A token that is meant for others too may come from them.
    let isForUs = audiences.allSatisfy { $0.map(provider.audiences.contains) == true }
    guard !audiences.isEmpty, isForUs else {
      let shown = audiences.map { $0 ?? "" }.joined(separator: ", ")
      let expected = provider.audiences.sorted().joined(separator: ", ")
      throw .invalidToken(
        "The audience in ID Token [\(shown)] does not match the expected audience \(expected).")
    }
  }

  /// Returns the second in which a token ends.
  private func end(of claims: JSONValue, at now: Int64) throws(AccountError) -> Int64 {
    guard case .integer(let issued)? = claims["iat"], case .integer(let end)? = claims["exp"],
      end < 1 << 40
    else { throw .invalidToken("The ID Token must have iat and exp, in seconds.") }
    guard issued <= now + CheckedProviders.skew, end > now - CheckedProviders.skew else {
      throw .invalidToken("ID Token issued at \(issued) is stale to sign-in.")
    }
    return end
  }
}

extension AccountError {
  fileprivate static func invalidToken(_ text: String) -> AccountError {
    AccountError("INVALID_IDP_RESPONSE", text)
  }
}
