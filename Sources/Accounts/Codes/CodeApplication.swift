import HearthFirestoreJSON

/// The use of a code that changes an account's address, or vouches for it (A§3.6).
struct CodeApplication {
  let call: AccountCall

  func answer(applying code: String) async throws(AccountError) -> AccountAnswer {
    let (account, _) = try await apply(code)
    return AccountAnswer(kind: "SetAccountInfoResponse", AccountJSON.changedMembers(of: account))
  }

  /// Applies a code.
  ///
  /// - Returns: the account afterwards, and the record of the code.
  func apply(_ code: String) async throws(AccountError) -> (Account, ActionCode) {
    let (account, record, recovery) = try await call.change {
      [call] accounts throws(AccountError) in
      let record = try accounts.goodCode(code, now: call.now)
      let old: Account
      var account: Account
      switch record.kind {
      case .verifyEmail:
        old = try accounts.account(of: record, email: record.email)
        account = old
      case .verifyAndChangeEmail:
        old = try accounts.account(of: record, email: record.email)
        account = old
        account.email = record.newEmail
        account.revokeTokens(now: call.now)
      case .recoverEmail:
        old = try accounts.account(of: record)
        account = old
        account.email = record.email
        account.revokeTokens(now: call.now)
      case .passwordReset, .emailSignIn: throw AccountError("INVALID_OOB_CODE")
      }
      account.isEmailVerified = true
      try accounts.put(account, replacing: old)
      accounts.end(code)
      let isChange = record.kind == .verifyAndChangeEmail
      return (
        account, record, isChange ? try call.recovery(of: old, by: account, in: accounts) : nil
      )
    }
    call.mode.delivery.forget(code)
    if let recovery { call.mode.delivery.post(recovery) }
    return (account, record)
  }
}
