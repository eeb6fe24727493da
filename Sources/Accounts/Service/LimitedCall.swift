import HearthFirestoreJSON

/// A client's call at a server that limits attempts.
struct LimitedCall {
  let call: AccountCall
  let limits: AttemptLimits

  /// Answers the call, unless the client or the account has made too many attempts.
  ///
  /// - Throws: `TOO_MANY_ATTEMPTS_TRY_LATER`; the errors of `body`.
  func answer(
    _ method: AccountMethod, _ body: () async throws(AccountError) -> AccountAnswer
  ) async throws(AccountError) -> AccountAnswer {
    switch method {
    case .signUp: try count(.signUp, of: try email("email"))
    case .sendOobCode: try count(.message, of: try recipients())
    case .signInWithPassword:
      return try await countingRefusal(of: try email("email"), body)
    case .signInWithIdp, .signInWithCustomToken, .signInWithEmailLink:
      return try await countingRefusal(body)
    case .resetPassword: return try await resetAnswer(body)
    case .update:
      if call.fields.has("oobCode") { return try await countingRefusal(body) }
      if call.fields.has("email") || call.fields.has("password") {
        try count(.change, of: try caller())
      }
    default: break
    }
    return try await body()
  }

  /// The owner of an address, who has reset the password, can sign in at once.
  private func resetAnswer(
    _ body: () async throws(AccountError) -> AccountAnswer
  ) async throws(AccountError) -> AccountAnswer {
    let answer = try await countingRefusal(body)
    if call.fields.has("newPassword"), let email = answer.json["email"]?.string {
      limits.forget(.refusedSignIn, of: .account(email, project: call.project))
    }
    return answer
  }

  /// Runs a sign-in, which counts only if it is refused. It counts from its beginning, so that many
  /// at a time gain nothing.
  private func countingRefusal(
    of account: [String] = [], _ body: () async throws(AccountError) -> AccountAnswer
  ) async throws(AccountError) -> AccountAnswer {
    try count(.refusedSignIn, of: account)
    do throws(AccountError) {
      let answer = try await body()
      limits.giveBack(.refusedSignIn, of: subjects(account))
      return answer
    } catch {
      // Faults of the server are no one's attempts.
      if error.status != 400 || error == .tooManyPasswords {
        limits.giveBack(.refusedSignIn, of: subjects(account))
      }
      throw error
    }
  }

  private func count(_ action: LimitedAction, of accounts: [String]) throws(AccountError) {
    guard limits.take(action, of: subjects(accounts), at: call.now) else {
      throw action == .refusedSignIn ? .tooManySignIns : .tooManyAttempts
    }
  }

  // MARK: Subjects

  private func subjects(_ accounts: [String]) -> [AttemptLimits.Subject] {
    var subjects = accounts.map { AttemptLimits.Subject.account($0, project: call.project) }
    if let address = call.clientAddress {
      subjects.append(.client(network: ClientNetwork.name(of: address)))
    }
    return subjects
  }

  /// Returns the address in a field; none if there is none.
  private func email(_ field: String) throws(AccountError) -> [String] {
    guard let text = try call.fields.text(field) else { return [] }
    return [try ContactRules.email(text)]
  }

  /// Returns the account of the call's token; none if there is none.
  private func caller() throws(AccountError) -> [String] {
    guard let token = try call.fields.text("idToken") else { return [] }
    return [try call.callerToken(token).accountID]
  }

  /// Returns the addresses and accounts that a message is for.
  private func recipients() throws(AccountError) -> [String] {
    try email("email") + (try email("newEmail")) + (try caller())
  }
}

extension AccountError {
  fileprivate static let tooManyAttempts = AccountError("TOO_MANY_ATTEMPTS_TRY_LATER")
  fileprivate static let tooManySignIns = AccountError(
    "TOO_MANY_ATTEMPTS_TRY_LATER",
    "Access to this account has been temporarily disabled due to many failed login attempts. You "
      + "can immediately restore it by resetting your password or you can try again later.")
}
