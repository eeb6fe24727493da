import HearthFirestoreJSON

/// The sign-in by a link that was sent to an address (A§3.7).
struct EmailLinkSignIn {
  let call: AccountCall

  func answer() async throws(AccountError) -> AccountAnswer {
    guard let text = try call.fields.text("email") else { throw .missingEmail }
    let email = try ContactRules.email(text)
    guard let code = try call.fields.text("oobCode") else { throw AccountError("MISSING_OOB_CODE") }
    let token = try call.fields.text("idToken")
    let caller = try token.map { token throws(AccountError) in try call.callerToken(token) }
    let entry = try await call.change { accounts throws(AccountError) in
      let settings = try accounts.settings()
      guard settings.allowsEmail, !settings.requiresPassword else { throw .operationNotAllowed }
      try check(code, for: email, in: accounts)
      accounts.end(code)
      return try signIn(email, caller, in: accounts)
    }
    call.mode.delivery.forget(code)
    if let recovery = entry.recovery { call.mode.delivery.post(recovery) }
    let session = entry.session
    var members: [(String, JSONValue)] = [
      ("email", .string(email)), ("localId", .string(session.account.id)),
      ("isNewUser", .boolean(entry.isNew)),
    ]
    members += try call.tokens(of: session)
    return AccountAnswer(kind: "EmailLinkSigninResponse", members)
  }

  private func check(
    _ code: String, for email: String, in accounts: AccountTransaction
  ) throws(AccountError) {
    let record = try accounts.goodCode(code, now: call.now)
    guard record.kind == .emailSignIn else { throw AccountError("INVALID_OOB_CODE") }
    guard record.email == email else {
      throw AccountError(
        "INVALID_EMAIL", "The email provided does not match the sign-in email address.")
    }
  }

  /// The sign-in that a link has brought.
  private struct Entry: Sendable {
    let session: Session
    let isNew: Bool
    /// The code by which the owner of the earlier address gets it back; `nil` for none.
    var recovery: SentCode?
  }

  private func signIn(
    _ email: String, _ caller: CallerToken?, in accounts: AccountTransaction
  ) throws(AccountError) -> Entry {
    let owner = try accounts.account(email: email)
    if let caller {
      let old = try accounts.account(of: caller)
      guard owner == nil || owner?.id == old.id else { throw .emailExists }
      return try entry(adding: email, to: old, caller, in: accounts)
    }
    var account = owner ?? Account(call: call)
    guard !account.isDisabled else { throw .userDisabled }
    if owner == nil {
      account.setEmail(email)
    } else if !account.isEmailVerified {
      account.takeOver(now: call.now)
    }
    return Entry(
      session: try session(of: account, replacing: owner, in: accounts), isNew: owner == nil)
  }

  /// Gives the caller's account the address of the link.
  private func entry(
    adding email: String, to old: Account, _ caller: CallerToken, in accounts: AccountTransaction
  ) throws(AccountError) -> Entry {
    var account = old
    account.setEmail(email)
    if old.email != nil, old.email != email {
      try call.needsRecentSignIn(caller)
      account.revokeTokens(now: call.now)
    }
    let recovery = try call.recovery(of: old, by: account, in: accounts)
    return Entry(
      session: try session(of: account, replacing: old, in: accounts), isNew: false,
      recovery: recovery)
  }

  private func session(
    of account: Account, replacing old: Account?, in accounts: AccountTransaction
  ) throws(AccountError) -> Session {
    var account = account
    account.isEmailVerified = true
    account.usesEmailLinks = true
    return try call.begin(account, replacing: old, by: "password", in: accounts)
  }
}
