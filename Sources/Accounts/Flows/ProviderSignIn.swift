import HearthFirestoreJSON
import HearthTokens

/// The sign-in by a provider's credential, and the linking of one with an account (A§3.3, A§6).
struct ProviderSignIn {
  let call: AccountCall

  /// The outcome of a credential that was good.
  enum Outcome: Sendable {
    case signedIn(Session, isNew: Bool, isRecycled: Bool = false)
    /// The address belongs to an account that the credential doesn't prove to be the caller's.
    case needsConfirmation(Account)
    /// The credential can't be linked with the caller's account.
    case refused(AccountError)
  }

  func answer() async throws(AccountError) -> AccountAnswer {
    let fields = call.fields
    let token = try fields.text("idToken")
    let caller = try token.map { token throws(AccountError) in try call.callerToken(token) }
    let pending = try await pendingCredential()
    let credential = try await credential(repeating: pending)
    let user = credential.user
    let pendingToken = Secret.random()
    let createsAccounts = try fields.flag("autoCreate") ?? true
    let tellsRefusals = try fields.flag("returnIdpCredential") ?? false
    let outcome = try await call.change { [call] accounts throws(AccountError) in
      if let nonce = credential.nonce { try accounts.use(nonce, now: call.now) }
      try pending?.check(in: accounts)
      let checked = pending?.checked ?? call.now
      accounts.write(PendingCredential(user: user, checked: checked), of: pendingToken)
      guard let caller else {
        let signIn = ProviderUserSignIn(call: call, user: user)
        return try signIn.outcome(in: accounts, createsAccounts: createsAccounts)
      }
      let account = try accounts.account(of: caller)
      if let refusal = try ProviderLinking.refusal(of: user, for: account, in: accounts) {
        guard tellsRefusals else { throw refusal }
        return .refused(refusal)
      }
      return .signedIn(
        try ProviderLinking(call: call, user: user).session(linking: account, in: accounts),
        isNew: false)
    }
    return try answer(to: outcome, user, pendingToken)
  }

  /// Returns the credential of the request's pending token; `nil` for a request without one.
  private func pendingCredential() async throws(AccountError) -> PendingCredential? {
    guard let token = try call.fields.text("pendingToken") else { return nil }
    let pending = try await call.read { [call] accounts throws(AccountError) in
      try accounts.pendingCredential(token, now: call.now)
    }
    guard let pending else { throw .invalidPendingToken }
    return pending
  }

  /// Returns the request's credential. A pending token stands for an earlier one, whose checks
  /// aren't repeated: clients send it without a nonce, and the web without a provider.
  private func credential(
    repeating pending: PendingCredential?
  ) async throws(AccountError) -> ProviderCredential {
    if let pending { return ProviderCredential(user: pending.user, nonce: nil) }
    guard let uri = try call.fields.text("requestUri") else {
      throw AccountError("MISSING_REQUEST_URI")
    }
    let assertion = try ProviderAssertion(
      postBody: try call.fields.text("postBody") ?? "", requestURI: uri)
    return try await call.mode.providers.credential(of: assertion, at: call.now / 1000)
  }

  // MARK: The answer

  private func answer(
    to outcome: Outcome, _ user: ProviderUser, _ pendingToken: String
  ) throws(AccountError) -> AccountAnswer {
    let identity = user.identity
    var members: [(String, JSONValue)] = [
      ("providerId", .string(identity.providerID)), ("federatedId", .string(identity.rawID)),
    ]
    members.append("email", identity.email)
    if identity.email != nil { members.append(("emailVerified", .boolean(user.isEmailVerified))) }
    members.append("rawUserInfo", user.claims)
    members.append("oauthIdToken", user.idToken)
    members.append("oauthAccessToken", user.accessToken)
    members.append("pendingToken", pendingToken)
    switch outcome {
    case .signedIn(let session, let isNew, let isRecycled):
      members.append("displayName", identity.displayName ?? session.account.displayName)
      members.append("fullName", identity.displayName)
      members.append("photoUrl", identity.photoURL ?? session.account.photoURL)
      // Clients ask whether the member is there.
      if isNew { members.append(("isNewUser", .boolean(true))) }
      if isRecycled { members.append(("emailRecycled", .boolean(true))) }
      members.append("localId", session.account.id)
      members += try call.tokens(of: session)
    case .needsConfirmation(let account):
      members.append("displayName", identity.displayName)
      members.append("photoUrl", identity.photoURL)
      members += [("needConfirmation", .boolean(true)), ("localId", .string(account.id))]
      let providers = account.identities.map { JSONValue.string($0.providerID) }
      if !providers.isEmpty { members.append(("verifiedProvider", .array(providers))) }
    case .refused(let error):
      members.append("displayName", identity.displayName)
      members.append("photoUrl", identity.photoURL)
      members.append("errorMessage", error.message)
    }
    return AccountAnswer(kind: "VerifyAssertionResponse", members)
  }
}

extension PendingCredential {
  /// Refuses a credential that was checked before all sign-ins of its account were ended.
  fileprivate func check(in accounts: AccountTransaction) throws(AccountError) {
    let identity = user.identity
    let account = try accounts.account(providerID: identity.providerID, rawID: identity.rawID)
    if let account, account.validSince > checked / 1000 { throw .invalidPendingToken }
  }
}

extension AccountError {
  fileprivate static let invalidPendingToken = AccountError("INVALID_PENDING_TOKEN")
}
