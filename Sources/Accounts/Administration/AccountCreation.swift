import HearthFirestoreJSON

/// The making of an account by an administrator (A§10). No one is signed in.
struct AccountCreation {
  let call: AccountCall

  func answer() async throws(AccountError) -> AccountAnswer {
    let fields = call.fields
    guard !fields.has("idToken") else { throw AccountError("UNEXPECTED_PARAMETER", "ID token") }
    let id = try fields.text("localId") ?? AccountID.random()
    try AccountID.check(id)
    let email = try fields.text("email").map { text throws(AccountError) in
      try ContactRules.email(text)
    }
    var hash: String?
    if let password = try fields.text("password") {
      try call.mode.passwordPolicy.check(password)
      hash = try await call.hash(password)
    }
    let account = try await call.change { [call, hash] accounts throws(AccountError) in
      var account = Account(id: id, call: call)
      account.email = email
      account.initialEmail = email
      account.password = hash.map { Account.Password(hash: $0, updatedAt: call.now) }
      try call.setProfile(of: &account)
      try AdministratorChanges(call: call).apply(to: &account)
      try accounts.put(account, replacing: nil)
      return account
    }
    var members: [(String, JSONValue)] = [("localId", .string(account.id))]
    members.append("email", account.email)
    members.append("displayName", account.displayName)
    return AccountAnswer(kind: "SignupNewUserResponse", members)
  }
}
