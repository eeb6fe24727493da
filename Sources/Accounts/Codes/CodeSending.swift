import HearthFirestoreJSON

/// The sending of a code to its user (A§3.7).
struct CodeSending {
  let call: AccountCall

  func answer() async throws(AccountError) -> AccountAnswer {
    guard let type = try call.fields.text("requestType"),
      type != "OOB_REQ_TYPE_UNSPECIFIED"
    else { throw AccountError("MISSING_REQ_TYPE") }
    guard let kind = ActionCode.Kind(rawValue: type), kind != .recoverEmail else {
      throw AccountError("INVALID_REQ_TYPE")
    }
    let returnsLink = try call.fields.flag("returnOobLink") ?? false
    if returnsLink { try call.needsAdministrator() }
    guard returnsLink || call.mode.delivery.isAvailable else { throw .operationNotAllowed }
    let email = try call.fields.text("email").map { text throws(AccountError) in
      try ContactRules.email(text)
    }
    let continueURL = try continueURL()
    let token = try call.fields.text("idToken")
    let caller = try token.map { token throws(AccountError) in try call.callerToken(token) }
    let newEmail = try newEmail(for: kind)
    let code = try await call.change { [call] accounts throws(AccountError) -> SentCode? in
      try continueURL?.check(by: try accounts.settings())
      let owner = CodeOwner(call: call, kind: kind, caller: caller, email: email)
      guard let (account, address) = try owner.find(in: accounts) else {
        // No one gets this code. The answer takes as long as one to a known address.
        _ = try call.makeCode(kind, for: email ?? "", of: nil, in: accounts)
        return nil
      }
      if let newEmail, try accounts.account(email: newEmail) != nil { throw .emailExists }
      return try call.makeCode(
        kind, for: address, newEmail: newEmail, of: account, continueURL: continueURL?.text,
        in: accounts)
    }
    if let code, !returnsLink { try await call.mode.delivery.deliver(code) }
    return CodeSending.answer(code, email: email ?? "", showsLink: returnsLink)
  }

  private static func answer(
    _ code: SentCode?, email: String, showsLink: Bool
  ) -> AccountAnswer {
    var members: [(String, JSONValue)] = [("email", .string(code?.record.email ?? email))]
    members.append("newEmail", code?.record.newEmail)
    if let code, showsLink {
      members += [("oobCode", .string(code.code)), ("oobLink", .string(code.link))]
    }
    return AccountAnswer(kind: "GetOobConfirmationCodeResponse", members)
  }

  private func newEmail(for kind: ActionCode.Kind) throws(AccountError) -> String? {
    guard kind == .verifyAndChangeEmail else { return nil }
    guard let text = try call.fields.text("newEmail") else {
      throw AccountError("MISSING_NEW_EMAIL")
    }
    return try ContactRules.email(text)
  }

  /// - Throws: `INVALID_CONTINUE_URI` for a text that is no address of a page;
  ///   `MISSING_CONTINUE_URI` for none where the application handles the code.
  private func continueURL() throws(AccountError) -> ContinueURL? {
    guard let text = try call.fields.text("continueUrl") else {
      if try call.fields.flag("canHandleCodeInApp") == true {
        throw AccountError("MISSING_CONTINUE_URI")
      }
      return nil
    }
    return try ContinueURL(text)
  }
}

/// The account and the address that a code is asked for.
private struct CodeOwner {
  let call: AccountCall
  let kind: ActionCode.Kind
  let caller: CallerToken?
  let email: String?

  /// - Returns: the account, `nil` for a sign-in, and the address; `nil` for an unknown address
  ///   that the answer is to keep silent about.
  func find(
    in accounts: AccountTransaction
  ) throws(AccountError) -> (account: Account?, address: String)? {
    let settings = try accounts.settings()
    switch kind {
    case .emailSignIn:
      guard settings.allowsEmail, !settings.requiresPassword else { throw .operationNotAllowed }
      guard let email else { throw .missingEmail }
      return (nil, email)
    case .passwordReset:
      guard settings.allowsEmail else { throw .operationNotAllowed }
      guard let email else { throw .missingEmail }
      guard let account = try accounts.account(email: email) else {
        guard settings.protectsEmails, !call.isAdministrator else {
          throw AccountError("EMAIL_NOT_FOUND")
        }
        return nil
      }
      return (account, email)
    case .verifyEmail, .verifyAndChangeEmail, .recoverEmail:
      let account = try identified(in: accounts)
      guard let address = account.email else { throw .missingEmail }
      return (account, address)
    }
  }

  /// Returns the account of the caller, or the one whose address an administrator names.
  private func identified(in accounts: AccountTransaction) throws(AccountError) -> Account {
    if let caller { return try accounts.account(of: caller) }
    guard call.isAdministrator else { throw AccountError("INVALID_ID_TOKEN") }
    guard let email else { throw .missingEmail }
    guard let account = try accounts.account(email: email) else { throw .userNotFound }
    return account
  }
}
