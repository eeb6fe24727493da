/// The signing of users' tokens.
public struct TokenSigning: Sendable {
  /// The path of a file of private RSA keys, in PEM form. The first one signs, and tokens that any
  /// of them has signed are good. Only its owner may read it; if it is missing, it is made with a
  /// new key.
  public var keyFile: String
  /// Whether each call on documents looks the user up, so that tokens end with a deletion, a
  /// switching off and a revocation. Otherwise they are good for an hour in any case, as in
  /// production.
  public var checksRevocation = false
  /// The way of codes to users; `nil` for none. Then what needs a code is refused.
  public var mail: MailCommand?
  /// The page of the application that links with codes lead to; `nil` for production's usual one,
  /// `https://PROJECT.firebaseapp.com/__/auth/action`.
  public var actionPage: String?

  /// Names the file, which is read when the server starts.
  public init(keyFile: String) {
    self.keyFile = keyFile
  }
}
