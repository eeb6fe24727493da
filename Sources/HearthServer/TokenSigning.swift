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

  /// Names the file, which is read when the server starts.
  public init(keyFile: String) {
    self.keyFile = keyFile
  }
}
