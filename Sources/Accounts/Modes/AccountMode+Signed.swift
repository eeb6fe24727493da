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
    AccountMode(
      tokens: SignedTokens(keys), passwords: PasswordHasher(), providers: NoProviders(),
      customTokens: SignedCustomTokens(keys), delivery: NoDelivery(),
      recentSignInTime: usualRecentTime, standing: standing, limits: AttemptLimits(),
      keys: keys)
  }
}

/// The check of a server that knows no provider.
struct NoProviders: ProviderCheck {
  func user(of assertion: ProviderAssertion) async throws(AccountError) -> ProviderUser {
    throw AccountError(
      "OPERATION_NOT_ALLOWED", "The identity provider configuration is not found.")
  }
}

/// The delivery of a server that sends no mail.
struct NoDelivery: CodeDelivery {
  var isAvailable: Bool { false }

  func deliver(_ code: SentCode) async throws(AccountError) { throw .operationNotAllowed }

  func post(_ code: SentCode) {}

  func forget(_ code: String) {}
}
