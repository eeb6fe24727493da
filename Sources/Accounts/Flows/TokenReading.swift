import HearthFirestoreJSON
import HearthTokens

/// The answers to those who read this server's tokens: its public keys, and the place of
/// them.
struct TokenReading {
  /// Seconds for which readers may hold the keys. A new key is published for as long before it
  /// signs.
  private static let cacheTime = 3600

  let call: AccountCall

  func answer(_ method: AccountMethod) throws(AccountError) -> AccountAnswer {
    method == .keySet ? try keySetAnswer() : discoveryAnswer()
  }

  private func keySetAnswer() throws(AccountError) -> AccountAnswer {
    do {
      let keys = try call.mode.keys?.keySet() ?? .object([("keys", .array([]))])
      return AccountAnswer(200, keys, cacheTime: TokenReading.cacheTime)
    } catch {
      throw AccountError(status: 500, "The keys can't be told: \(error)")
    }
  }

  private func discoveryAnswer() -> AccountAnswer {
    AccountAnswer(
      200,
      .object([
        ("issuer", .string(SignedTokens.issuer(ofProject: call.project))),
        ("jwks_uri", .string("\(call.origin)/.well-known/jwks.json")),
        ("response_types_supported", .array([.string("id_token")])),
        ("subject_types_supported", .array([.string("public")])),
        ("id_token_signing_alg_values_supported", .array([.string("RS256")])),
      ]))
  }
}
