import HearthFirestoreJSON

/// The sign-in by e-mail and password (A§3.2).
struct PasswordSignIn {
  let call: AccountCall

  func answer() async throws(AccountError) -> AccountAnswer {
    guard let text = try call.fields.text("email") else { throw .missingEmail }
    let email = try ContactRules.email(text)
    guard let password = try call.fields.text("password") else {
      throw AccountError("MISSING_PASSWORD")
    }
    let (found, settings) = try await call.read { accounts throws(AccountError) in
      let settings = try accounts.settings()
      guard settings.allowsEmail else { throw .operationNotAllowed }
      return (try accounts.account(email: email), settings)
    }
    // An unknown address takes as long as a wrong password.
    let isRight = try await call.isRight(password, for: found?.password)
    guard let found, let hash = found.password?.hash, isRight else {
      if settings.protectsEmails { throw .invalidCredentials }
      throw AccountError(found == nil ? "EMAIL_NOT_FOUND" : "INVALID_PASSWORD")
    }
    guard !found.isDisabled else { throw .userDisabled }
    let newHash = try await call.replacement(of: hash, for: password)
    let session = try await call.change { [call] accounts throws(AccountError) in
      let old = try accounts.account(found.id)
      guard var account = old, account.email == email, account.password?.hash == hash else {
        // The account has changed meanwhile.
        throw settings.protectsEmails ? .invalidCredentials : AccountError("INVALID_PASSWORD")
      }
      guard !account.isDisabled else { throw .userDisabled }
      if let newHash { account.password?.hash = newHash }
      return try call.begin(account, replacing: old, by: "password", in: accounts)
    }
    let account = session.account
    var members: [(String, JSONValue)] = [
      ("localId", .string(account.id)), ("email", .string(email)),
      ("displayName", .string(account.displayName ?? "")),
    ]
    members.append("photoUrl", account.photoURL)
    members.append(("registered", .boolean(true)))
    members += try call.tokens(of: session)
    return AccountAnswer(kind: "VerifyPasswordResponse", members)
  }
}
