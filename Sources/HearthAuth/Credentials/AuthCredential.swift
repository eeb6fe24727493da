import Foundation

/// A proof of an identity, for a sign-in or a link. Providers such as ``EmailAuthProvider`` and
/// ``OAuthProvider`` make it; nothing is checked before it is used.
public class AuthCredential: @unchecked Sendable {
  // No property changes; the compiler can't infer `Sendable` for a class with a subclass.
  /// The provider's id, such as `apple.com`.
  public let provider: String

  init(provider: String) { self.provider = provider }
}

/// A credential of a provider that gives tokens, such as Apple.
public final class OAuthCredential: AuthCredential, @unchecked Sendable {
  /// The provider's ID token; `nil` for none.
  public let idToken: String?
  /// The provider's access token; `nil` for none.
  public let accessToken: String?
  /// The nonce of the request before it was hashed; `nil` for none.
  let rawNonce: String?
  /// The name that Apple gives at the first sign-in; `nil` for none.
  let fullName: PersonNameComponents?
  /// The token by which the accounts know the credential again, without its nonce; `nil` before
  /// its first use.
  let pendingToken: String?

  init(
    provider: String, idToken: String?, accessToken: String? = nil, rawNonce: String? = nil,
    fullName: PersonNameComponents? = nil, pendingToken: String? = nil
  ) {
    self.idToken = idToken
    self.accessToken = accessToken
    self.rawNonce = rawNonce
    self.fullName = fullName
    self.pendingToken = pendingToken
    super.init(provider: provider)
  }
}
