import HearthFirestoreJSON

/// The look at a code, and the change of a forgotten password by one (A§3.7).
struct PasswordReset {
  let call: AccountCall

  func answer() async throws(AccountError) -> AccountAnswer {
    guard let code = try call.fields.text("oobCode") else { throw AccountError("MISSING_OOB_CODE") }
    guard let password = try call.fields.text("newPassword") else {
      let record = try await call.read { [call] accounts throws(AccountError) in
        try accounts.goodCode(code, now: call.now)
      }
      return PasswordReset.answer(record)
    }
    try call.mode.passwordPolicy.check(password)
    // A wrong code costs no hash.
    try await call.read { [call] accounts throws(AccountError) in
      _ = try PasswordReset.resetCode(code, in: accounts, now: call.now)
    }
    let hash = try await call.hash(password)
    let record = try await call.change { [call] accounts throws(AccountError) in
      let record = try PasswordReset.resetCode(code, in: accounts, now: call.now)
      let old = try accounts.account(of: record, email: record.email)
      var account = old
      if !account.isEmailVerified { account.takeOver(now: call.now) }
      account.password = Account.Password(hash: hash, updatedAt: call.now)
      account.isEmailVerified = true
      account.revokeTokens(now: call.now)
      try accounts.put(account, replacing: old)
      accounts.end(code)
      return record
    }
    call.mode.delivery.forget(code)
    return PasswordReset.answer(record)
  }

  private static func resetCode(
    _ code: String, in accounts: AccountTransaction, now: Int64
  ) throws(AccountError) -> ActionCode {
    let record = try accounts.goodCode(code, now: now)
    guard record.kind == .passwordReset else { throw AccountError("INVALID_OOB_CODE") }
    return record
  }

  private static func answer(_ record: ActionCode) -> AccountAnswer {
    var members: [(String, JSONValue)] = [("requestType", .string(record.kind.rawValue))]
    // The address is a part of the proof in a sign-in.
    if record.kind != .emailSignIn { members.append("email", record.email) }
    members.append("newEmail", record.newEmail)
    return AccountAnswer(kind: "ResetPasswordResponse", members)
  }
}
