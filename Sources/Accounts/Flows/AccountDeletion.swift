import HearthFirestoreJSON

/// The deletion of an account, by its user or by an administrator.
struct AccountDeletion {
  let call: AccountCall

  func answer() async throws(AccountError) -> AccountAnswer {
    if let token = try call.fields.text("idToken") {
      let caller = try call.callerToken(token)
      try call.needsRecentSignIn(caller)
      try await call.change { accounts throws(AccountError) in
        accounts.delete(try accounts.account(of: caller))
      }
    } else {
      guard call.isAdministrator else { throw AccountError("MISSING_ID_TOKEN") }
      guard let id = try call.fields.text("localId") else {
        throw AccountError("MISSING_LOCAL_ID")
      }
      try await call.change { accounts throws(AccountError) in
        guard let account = try accounts.account(id) else { throw .userNotFound }
        accounts.delete(account)
      }
    }
    // Administrators' SDKs fail without it.
    return AccountAnswer(kind: "DeleteAccountResponse", [])
  }
}
