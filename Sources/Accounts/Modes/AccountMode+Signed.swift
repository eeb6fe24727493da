package import HearthTokens

extension AccountMode {
  /// Seconds after a sign-in in which a user may change what could shut another one out.
  private static let usualRecentTime: Int64 = 300

  /// The mode of a server for users: signed tokens, checked credentials, and nothing of the
  /// emulators'.
  ///
  /// - Parameter standing: tells administrators.
  package static func signed(
    _ keys: KeyRing,
    standing: @escaping @Sendable (_ authorization: String?) -> CallerStanding
  ) -> AccountMode {
    var mode = AccountMode(
      tokens: SignedTokens(keys), passwords: PasswordHasher(), providers: CheckedProviders([:]),
      customTokens: SignedCustomTokens(keys), delivery: NoDelivery(),
      recentSignInTime: usualRecentTime, standing: standing, limits: AttemptLimits(),
      keys: keys)
    mode.settings.usual = .forStrangers
    return mode
  }
}

/// The delivery of a server that sends no mail.
struct NoDelivery: CodeDelivery {
  var isAvailable: Bool { false }

  func deliver(_ code: SentCode) async throws(AccountError) { throw .operationNotAllowed }

  func post(_ code: SentCode) {}

  func forget(_ code: String) {}
}
