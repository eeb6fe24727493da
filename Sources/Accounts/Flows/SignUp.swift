import HearthFirestoreJSON

/// The making of accounts by clients: anonymous ones, and those with a password, which an account
/// that is signed in can get too (A§3.1).
struct SignUp {
  let call: AccountCall

  func answer() async throws(AccountError) -> AccountAnswer {
    guard !call.isAdministrator else { return try await AccountCreation(call: call).answer() }
    guard !call.fields.has("localId") else {
      throw AccountError("UNEXPECTED_PARAMETER", "User ID")
    }
    let token = try call.fields.text("idToken")
    guard call.fields.has("email") || call.fields.has("password") else {
      guard token == nil else { throw .missingEmail }
      return try await anonymousAnswer()
    }
    guard let text = try call.fields.text("email") else { throw .missingEmail }
    let email = try ContactRules.email(text)
    guard let password = try call.fields.text("password") else {
      throw AccountError("MISSING_PASSWORD")
    }
    try call.mode.passwordPolicy.check(password)
    let caller = try token.map { token throws(AccountError) in try call.callerToken(token) }
    try await call.read { [call] accounts throws(AccountError) in
      guard try accounts.settings().allowsEmail else { throw .operationNotAllowed }
      // An address that is taken costs no hash.
      if let owner = try accounts.account(email: email), owner.id != caller?.accountID {
        throw .emailExists
      }
      if let caller {
        let account = try accounts.account(of: caller)
        try SignUp.check(account, gets: email, call, caller, by: accounts.settings())
      }
    }
    let hash = try await call.hash(password)
    let (session, recovery) = try await call.change { [call] accounts throws(AccountError) in
      let old = try caller.map { caller throws(AccountError) in try accounts.account(of: caller) }
      if let old, let caller {
        try SignUp.check(old, gets: email, call, caller, by: accounts.settings())
      }
      var account = old ?? Account(call: call)
      if account.email != nil, account.email != email { account.revokeTokens(now: call.now) }
      account.setEmail(email)
      account.password = Account.Password(hash: hash, updatedAt: call.now)
      if old?.password != nil { account.revokeTokens(now: call.now) }
      try call.setProfile(of: &account)
      let recovery = try old.flatMap { old throws(AccountError) in
        try call.recovery(of: old, by: account, in: accounts)
      }
      return (
        try call.begin(account, replacing: old, by: "password", in: accounts), recovery
      )
    }
    // The change holds, also without the mail about it.
    if let recovery { call.mode.delivery.post(recovery) }
    return try answer(to: session)
  }

  /// Checks that an account may get an address and a password. One that has either must have been
  /// signed in lately, as for a change of them.
  ///
  /// - Throws: `CREDENTIAL_TOO_OLD_LOGIN_AGAIN`; `OPERATION_NOT_ALLOWED` for another address where
  ///   addresses are protected.
  private static func check(
    _ account: Account, gets email: String, _ call: AccountCall, _ caller: CallerToken,
    by settings: AccountSettings
  ) throws(AccountError) {
    guard account.email != nil || account.password != nil else { return }
    try call.needsRecentSignIn(caller)
    if account.email != nil, account.email != email, settings.protectsEmails {
      throw .unverifiedEmail
    }
  }

  private func anonymousAnswer() async throws(AccountError) -> AccountAnswer {
    let session = try await call.change { [call] accounts throws(AccountError) in
      guard try accounts.settings().allowsAnonymous else {
        throw AccountError("ADMIN_ONLY_OPERATION")
      }
      var account = Account(call: call)
      try call.setProfile(of: &account)
      return try call.begin(account, replacing: nil, by: "anonymous", in: accounts)
    }
    return try answer(to: session)
  }

  private func answer(to session: Session) throws(AccountError) -> AccountAnswer {
    var members: [(String, JSONValue)] = [("localId", .string(session.account.id))]
    members.append("email", session.account.email)
    members.append("displayName", session.account.displayName)
    members += try call.tokens(of: session)
    return AccountAnswer(kind: "SignupNewUserResponse", members)
  }
}
