import HearthFirestoreJSON

/// A change of an account, by its user or by an administrator (A§3.6).
struct AccountUpdate {
  let call: AccountCall

  /// The fields that mean a change which clients can't make, with the refusals of it.
  private static let forAdministrators = [
    ("customAttributes", AccountError.notAdministrator), ("disableUser", .operationNotAllowed),
  ]

  func answer() async throws(AccountError) -> AccountAnswer {
    if let code = try call.fields.text("oobCode") {
      return try await CodeApplication(call: call).answer(applying: code)
    }
    let token = try call.fields.text("idToken")
    let id = call.isAdministrator ? try call.fields.text("localId") : nil
    guard token != nil || id != nil else { throw .unsupportedUpdate }
    if !call.isAdministrator {
      for (name, refusal) in AccountUpdate.forAdministrators where call.fields.has(name) {
        throw refusal
      }
    }
    let caller = try token.map { token throws(AccountError) in try call.callerToken(token) }
    let email = try call.fields.text("email").map { text throws(AccountError) in
      try ContactRules.email(text)
    }
    if let caller, try call.changesCredentials() { try call.needsRecentSignIn(caller) }
    let hash = try await passwordHash()
    let changes = AccountChanges(call: call, email: email, passwordHash: hash)
    let change = try await call.change { accounts throws(AccountError) in
      try changes.apply(to: caller, or: id, in: accounts)
    }
    // The change holds, also without the mail about it.
    if let code = change.recovery { call.mode.delivery.post(code) }
    return try answer(to: change)
  }

  private func passwordHash() async throws(AccountError) -> String? {
    guard let password = try call.fields.text("password") else { return nil }
    try call.mode.passwordPolicy.check(password)
    return try await call.hash(password)
  }

  private func answer(to change: AccountChanges.Change) throws(AccountError) -> AccountAnswer {
    var members = AccountJSON.changedMembers(of: change.account)
    if let session = change.session { members += try call.tokens(of: session) }
    return AccountAnswer(kind: "SetAccountInfoResponse", members)
  }
}
