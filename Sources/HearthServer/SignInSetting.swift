import HearthAccounts
import HearthDocumentModel
import HearthServerCalls
import HearthTokens

/// The sign-in of a server that begins: its mode, its accounts, and the rights of its callers.
struct SignInSetting {
  /// The access tokens.
  let tokens: Set<String>
  /// The signing of users' tokens; `nil` for the tokens of emulators.
  let signing: TokenSigning?
  /// The keys that sign; `nil` for the tokens of emulators.
  let keys: KeyRing?
  private let configuration: SignInConfiguration
  /// The check of providers' tokens where users' tokens are signed.
  private let providers: CheckedProviders
  /// The time, in milliseconds since 1970.
  let now: @Sendable () -> Int64
  /// Waits for the end of a token.
  let pause: @Sendable (Duration) async throws -> Void

  /// Reads the keys, if tokens are to be signed.
  ///
  /// - Throws: `unavailable` for a file of keys that can't be read or made; `failedPrecondition`
  ///   for one that others may read; `invalidArgument` for one without usable keys.
  init(
    _ tokens: Set<String>, _ signing: TokenSigning?, _ configuration: SignInConfiguration,
    _ providers: CheckedProviders, now: @escaping @Sendable () -> Int64,
    pause: @escaping @Sendable (Duration) async throws -> Void
  ) throws(DatabaseError) {
    (self.tokens, self.signing, self.now, self.pause) = (tokens, signing, now, pause)
    (self.configuration, self.providers) = (configuration, providers)
    keys = try signing.map { signing throws(DatabaseError) in
      try KeyFile(path: signing.keyFile).keys()
    }
  }

  /// Returns the accounts, which no database of a project can hold.
  ///
  /// - Parameter project: the project of the calls that name none.
  func accounts(
    in folder: String?, project: String
  ) throws(DatabaseError) -> ServedAccounts {
    ServedAccounts(in: folder, project: project, mode: try mode(), now: now)
  }

  private func mode() throws(DatabaseError) -> AccountMode {
    var mode = try unconfiguredMode()
    mode.settings.fixed = configuration.settings
    mode.passwordPolicy = configuration.passwordPolicy
    if signing != nil { mode.providers = providers }
    return mode
  }

  private func unconfiguredMode() throws(DatabaseError) -> AccountMode {
    if let keys {
      let administrators = try AccessTokens(tokens)
      return .signed(keys) { authorization in
        guard let authorization, !authorization.isEmpty else { return .client }
        return administrators.contains(authorization) ? .administrator : .unknown
      }
    }
    // Who bears a token is an administrator.
    return tokens.isEmpty ? .unsigned() : .unsigned(standing: { _ in .administrator })
  }

  /// Returns the rights of callers.
  ///
  /// - Throws: the errors of opening the accounts, if users are looked up.
  func access(_ accounts: ServedAccounts) async throws(DatabaseError) -> CallerAccess {
    guard let keys, let signing else { return .ofEmulator }
    let check = SignedCallers(
      tokens: SignedTokens(keys), administrators: try AccessTokens(tokens), now: now,
      pause: pause,
      revocation: signing.checksRevocation ? try await accounts.revocation() : nil)
    return CallerAccess(signedBy: check)
  }
}

extension ServedAccounts {
  /// Returns the check that a token's user is there, and not disabled, and that no revocation came
  /// after the token.
  ///
  /// - Throws: the errors of opening the accounts.
  fileprivate func revocation() async throws(DatabaseError) -> SignedCallers.Revocation {
    let service = try await service()
    return { token throws(DatabaseError) in
      do throws(AccountError) {
        try service.check(
          token.accountID, ofProject: token.project, authTime: token.authTime,
          issuedAt: token.issuedAt)
      } catch {
        guard error.status == 400 else { throw DatabaseError(.unavailable, error.message) }
        throw SignedCallers.refusal(error.message)
      }
    }
  }
}
