/// The nonce of a credential, which is good once (A§7.1).
package struct UsedNonce: Sendable, Equatable {
  package let providerID: String
  /// The hash, as the token has it.
  package let hash: String
  /// The time at which the nonce is forgotten, since its token has ended: milliseconds since 1970.
  package let expires: Int64

  package init(providerID: String, hash: String, expires: Int64) {
    self.providerID = providerID
    self.hash = hash
    self.expires = expires
  }
}
