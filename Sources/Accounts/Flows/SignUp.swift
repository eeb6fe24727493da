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
    try await call.read { accounts throws(AccountError) in
      guard try accounts.settings().allowsEmail else { throw .operationNotAllowed }
      // An address that is taken costs no hash.
      if let owner = try accounts.account(email: email), owner.id != caller?.accountID {
        throw .emailExists
      }
    }
    let hash = try await call.hash(password)
    let session = try await call.change { [call] accounts throws(AccountError) in
      let old = try caller.map { caller throws(AccountError) in try accounts.account(of: caller) }
      var account = old ?? Account(call: call)
      if account.email != email {
        account.isEmailVerified = false
        account.email = email
      }
      account.initialEmail = account.initialEmail ?? email
      account.password = Account.Password(hash: hash, updatedAt: call.now)
      if old?.password != nil { account.revokeTokens(now: call.now) }
      try call.setProfile(of: &account)
      return try call.begin(account, replacing: old, by: "password", in: accounts)
    }
    return try answer(to: session)
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
