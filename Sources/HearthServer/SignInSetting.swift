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
  /// The way of codes to users; `nil` for none.
  let mailer: CodeMailer?
  /// The time, in milliseconds since 1970.
  let now: @Sendable () -> Int64
  /// Waits for the end of a token.
  let pause: @Sendable (Duration) async throws -> Void

  /// Reads the keys, if tokens are to be signed.
  ///
  /// - Parameter note: receives the messages with codes that aren't sent.
  /// - Throws: `unavailable` for a file of keys that can't be read or made; `failedPrecondition`
  ///   for one that others may read; `invalidArgument` for one without usable keys, for a sender
  ///   that is no address, and for a page that is none.
  init(
    _ tokens: Set<String>, _ signing: TokenSigning?, _ configuration: SignInConfiguration,
    _ providers: CheckedProviders, now: @escaping @Sendable () -> Int64,
    pause: @escaping @Sendable (Duration) async throws -> Void,
    note: @escaping @Sendable (MailFailure) -> Void
  ) throws(DatabaseError) {
    (self.tokens, self.signing, self.now, self.pause) = (tokens, signing, now, pause)
    (self.configuration, self.providers) = (configuration, providers)
    try signing?.checkActionPage()
    mailer = try signing?.mail.map { mail throws(DatabaseError) in
      CodeMailer(mail, from: try mail.checkedSender(), now: now, note: note)
    }
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
    ServedAccounts(in: folder, project: project, mode: try mode(), mailer: mailer, now: now)
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
      var mode = AccountMode.signed(keys) { authorization in
        guard let authorization, !authorization.isEmpty else { return .client }
        return administrators.contains(authorization) ? .administrator : .unknown
      }
      if let mailer { mode.delivery = mailer }
      mode.actionAddress = signing?.actionPage
      return mode
    }
    // The bearers of tokens are administrators.
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

extension TokenSigning {
  /// - Throws: `invalidArgument` for a page that is none.
  fileprivate func checkActionPage() throws(DatabaseError) {
    guard let actionPage else { return }
    let isVisible = actionPage.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    guard isVisible, !actionPage.contains("#"),
      ["https://", "http://"].contains(where: { actionPage.hasPrefix($0) })
    else {
      throw .invalidArgument(
        "The page that links with codes lead to begins with https:// or http://, and has no "
          + "fragment: \(actionPage)")
    }
  }
}

extension MailCommand {
  /// - Throws: `invalidArgument` for a sender that is no address.
  fileprivate func checkedSender() throws(DatabaseError) -> MailAddress? {
    try sender.map { text throws(DatabaseError) in
      guard let address = MailAddress(text) else {
        throw .invalidArgument("The sender of mail is no address like noreply@example.com: \(text)")
      }
      return address
    }
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
