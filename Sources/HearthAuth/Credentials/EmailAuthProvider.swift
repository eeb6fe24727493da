/// The provider of credentials of an e-mail address.
public enum EmailAuthProvider {
  /// The id of the provider in an account's data.
  public static let id = "password"

  /// Returns the credential of an address and its password.
  public static func credential(withEmail email: String, password: String) -> AuthCredential {
    EmailCredential(email: email, proof: .password(password))
  }

  /// Returns the credential of an address and the link that was sent to it.
  public static func credential(withEmail email: String, link: String) -> AuthCredential {
    EmailCredential(email: email, proof: .link(link))
  }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The id of the provider of addresses and passwords.
public let EmailAuthProviderID = EmailAuthProvider.id

/// A credential of an address.
final class EmailCredential: AuthCredential, @unchecked Sendable {
  /// The proof that the address is the user's.
  enum Proof: Sendable {
    case password(String)
    /// The link that was sent to the address.
    case link(String)
  }

  let email: String
  let proof: Proof

  init(email: String, proof: Proof) {
    self.email = email
    self.proof = proof
    super.init(provider: EmailAuthProvider.id)
  }
}
