import HearthDocumentModel

/// A user as a provider's credential describes it. It is stored under the digest of a pending
/// token, with which a client repeats the credential (A§2.3).
package struct ProviderUser: Sendable, Equatable {
  package var identity: Account.Identity
  /// Whether the provider vouches for the address.
  package var isEmailVerified: Bool
  /// The claims of the credential: JSON of an object.
  package var claims: String
  /// The `id_token` and the `access_token` of the request; `nil` for none.
  package var idToken: String?
  package var accessToken: String?

  package init(
    identity: Account.Identity, isEmailVerified: Bool, claims: String, idToken: String?,
    accessToken: String?
  ) {
    self.identity = identity
    self.isEmailVerified = isEmailVerified
    self.claims = claims
    self.idToken = idToken
    self.accessToken = accessToken
  }
}

extension ProviderUser {
  /// The fields of the document of a pending token.
  var fields: MapValue {
    var fields: MapValue = [
      "providerId": .string(identity.providerID), "rawId": .string(identity.rawID),
      "emailVerified": .boolean(isEmailVerified), "claims": .string(claims),
    ]
    for (name, text) in [
      ("email", identity.email), ("displayName", identity.displayName),
      ("photoUrl", identity.photoURL), ("idToken", idToken), ("accessToken", accessToken),
    ] {
      fields[name] = text.map(Value.string)
    }
    return fields
  }

  /// - Returns: `nil` for fields that no such document has.
  init?(fields: MapValue) {
    guard let providerID = fields.text("providerId"), let rawID = fields.text("rawId"),
      let claims = fields.text("claims")
    else { return nil }
    self.init(
      identity: Account.Identity(
        providerID: providerID, rawID: rawID, email: fields.text("email"),
        displayName: fields.text("displayName"), photoURL: fields.text("photoUrl")),
      isEmailVerified: fields["emailVerified"] == .boolean(true), claims: claims,
      idToken: fields.text("idToken"), accessToken: fields.text("accessToken"))
  }
}

/// A credential of a provider that a pending token repeats. However often it is repeated, it is
/// good for ten minutes from its check.
struct PendingCredential: Sendable {
  let user: ProviderUser
  /// The time of the check, in milliseconds since 1970.
  let checked: Int64
}
