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
    // The address that the code goes to can take the account over.
    if let caller, kind == .verifyAndChangeEmail { try call.needsRecentSignIn(caller) }
    let newEmail = try newEmail(for: kind)
    let search = CodeOwnerSearch(call: call, kind: kind, caller: caller, email: email)
    let (code, owner) = try await call.change { [call] accounts throws(AccountError) in
      try continueURL?.check(by: try accounts.settings())
      let owner = try search.owner(in: accounts)
      if let newEmail, try accounts.account(email: newEmail) != nil { throw .emailExists }
      let code = try call.makeCode(
        kind, for: owner.address, newEmail: newEmail, of: owner.account,
        continueURL: continueURL?.text, in: accounts)
      return (code, owner)
    }
    if !returnsLink { try await deliver(code, to: owner) }
    return CodeSending.answer(code, showsLink: returnsLink)
  }

  private func deliver(_ code: SentCode, to owner: CodeOwner) async throws(AccountError) {
    guard owner.isSecret else { return try await call.mode.delivery.deliver(code) }
    if owner.account != nil { call.mode.delivery.post(code) }
  }

  private static func answer(_ code: SentCode, showsLink: Bool) -> AccountAnswer {
    var members: [(String, JSONValue)] = [("email", .string(code.record.email))]
    members.append("newEmail", code.record.newEmail)
    if showsLink {
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

/// The account and the address that a code is for.
private struct CodeOwner: Sendable {
  /// The account; `nil` for a sign-in, which may make one, and for an unknown address.
  let account: Account?
  let address: String
  /// Whether the answer keeps silent about the account. Then neither the time of the answer nor a
  /// failure on the way may tell whether there is one.
  var isSecret = false
}

/// The search for the account and the address that a code is asked for.
private struct CodeOwnerSearch {
  let call: AccountCall
  let kind: ActionCode.Kind
  let caller: CallerToken?
  let email: String?

  /// - Throws: `EMAIL_NOT_FOUND` for an unknown address, unless answers keep silent about that;
  ///   `OPERATION_NOT_ALLOWED` for what the project's switches forbid.
  func owner(in accounts: AccountTransaction) throws(AccountError) -> CodeOwner {
    let settings = try accounts.settings()
    switch kind {
    case .emailSignIn:
      guard settings.allowsEmail, !settings.requiresPassword else { throw .operationNotAllowed }
      guard let email else { throw .missingEmail }
      return CodeOwner(account: nil, address: email)
    case .passwordReset:
      guard settings.allowsEmail else { throw .operationNotAllowed }
      guard let email else { throw .missingEmail }
      let isSecret = settings.protectsEmails && !call.isAdministrator
      let account = try accounts.account(email: email)
      guard account != nil || isSecret else { throw AccountError("EMAIL_NOT_FOUND") }
      return CodeOwner(account: account, address: email, isSecret: isSecret)
    case .verifyEmail, .verifyAndChangeEmail, .recoverEmail:
      let account = try identified(in: accounts)
      guard let address = account.email else { throw .missingEmail }
      return CodeOwner(account: account, address: address)
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
