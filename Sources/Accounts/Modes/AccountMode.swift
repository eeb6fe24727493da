package import HearthTokens

/// The mode of a server's sign-in: the services that there are, and the way in which credentials
/// are checked.
package struct AccountMode: Sendable {
  /// Makes and reads ID tokens and session cookies.
  package var tokens: any TokenIssuer
  package var passwords: PasswordHasher
  package var providers: any ProviderCheck
  package var customTokens: any CustomTokenCheck
  package var delivery: any CodeDelivery
  /// Seconds after a sign-in in which the user may change the e-mail and the password, and delete
  /// the account; `nil` for no limit.
  package var recentSignInTime: Int64?
  /// Tells administrators by the header `authorization`; `nil` for none.
  package var standing: @Sendable (_ authorization: String?) -> CallerStanding
  /// The codes that `/emulator/…` shows; `nil` for a server without the emulator's addresses.
  package var outbox: CodeOutbox?
  /// The page of the application that links with codes lead to; `nil` for production's usual one.
  package var actionAddress: String?
  /// The attempts of clients that are counted; `nil` for any number.
  package var limits: AttemptLimits?
  /// The keys that are published for readers of tokens; `nil` for tokens without a signature.
  package var keys: KeyRing?
  /// The sources of the switches of each project.
  package var settings = SettingSources()
  package var passwordPolicy = PasswordPolicy()

  /// The mode of an emulator: tokens without a signature, any credential of a provider, and
  /// `Bearer owner` for administrators. Without secrets, it is for development alone.
  ///
  /// - Parameter standing: tells administrators.
  package static func unsigned(
    standing: @escaping @Sendable (_ authorization: String?) -> CallerStanding = emulatorStanding
  ) -> AccountMode {
    let outbox = CodeOutbox()
    return AccountMode(
      tokens: UnsignedTokens(), passwords: PasswordHasher(), providers: FakeProviders(),
      customTokens: FakeCustomTokens(), delivery: outbox, standing: standing, outbox: outbox)
  }

  /// Tells the emulators' owner.
  package static let emulatorStanding: @Sendable (_ authorization: String?) -> CallerStanding = {
    guard let authorization = $0, !authorization.isEmpty else { return .client }
    let parts = authorization.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "bearer" else { return .unknown }
    return parts[1] == "owner" || parts[1].hasPrefix("ya29.") ? .administrator : .unknown
  }
}
