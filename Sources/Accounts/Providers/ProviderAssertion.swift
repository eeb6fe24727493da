import HearthFirestoreJSON

/// The credential of a provider, as a client sends it (A§3.3).
package struct ProviderAssertion: Sendable {
  package let providerID: String
  package let idToken: String?
  package let accessToken: String?
  /// The nonce as the client made it, before it was hashed.
  package let nonce: String?
  /// The name that Apple gives to the application at the first sign-in.
  package let fullName: String?
  /// The address and the parameters that refusals show.
  let shownResponse: String

  /// - Throws: `INVALID_CREDENTIAL_OR_PROVIDER_ID` for a text without a provider.
  init(postBody: String, requestURI: String) throws(AccountError) {
    shownResponse = ProviderAssertion.shown(postBody, at: requestURI)
    guard let fields = FormFields(postBody), let providerID = fields["providerId"] else {
      throw ProviderAssertion.invalid(shownResponse)
    }
    self.providerID = providerID
    idToken = fields["id_token"]
    accessToken = fields["access_token"]
    nonce = fields["nonce"]
    fullName = fields["user"].flatMap(ProviderAssertion.fullName)
  }

  static func invalid(_ shownResponse: String) -> AccountError {
    AccountError(
      "INVALID_CREDENTIAL_OR_PROVIDER_ID", "Invalid IdP response/credential: \(shownResponse)")
  }

  /// The refusal of a credential that has neither of the tokens that are taken.
  package var refusal: AccountError { ProviderAssertion.invalid(shownResponse) }

  private static func shown(_ postBody: String, at uri: String) -> String {
    let path = uri.split(separator: "://", maxSplits: 1).last ?? ""
    return uri + (path.contains("/") ? "" : "/") + (postBody.isEmpty ? "" : "?\(postBody)")
  }

  /// Returns the name in Apple's form: `{"name":{"firstName":"A","lastName":"B"}}`.
  private static func fullName(_ user: String) -> String? {
    guard let json = try? JSONValue(parsing: Array(user.utf8)), let name = json["name"] else {
      return nil
    }
    let parts = ["firstName", "lastName"].compactMap { name[$0]?.string }.filter { !$0.isEmpty }
    return parts.isEmpty ? nil : parts.joined(separator: " ")
  }
}
