import HearthFirestoreJSON

extension Auth {
  // MARK: Sending

  /// Sends a link for a new password.
  public func sendPasswordReset(withEmail email: String) async throws {
    try await sendCode(.passwordReset, email, [])
  }

  /// Does the same, and calls `completion` then.
  public func sendPasswordReset(
    withEmail email: String, completion: (((any Error)?) -> Void)? = nil
  ) {
    sendCode(.passwordReset, email, [], completion)
  }

  /// Sends a link for a new password, with a target.
  public nonisolated(nonsending) func sendPasswordReset(
    withEmail email: String, actionCodeSettings: ActionCodeSettings
  ) async throws {
    try await sendCode(.passwordReset, email, actionCodeSettings.members)
  }

  /// Does the same, and calls `completion` then.
  public func sendPasswordReset(
    withEmail email: String, actionCodeSettings: ActionCodeSettings,
    completion: (((any Error)?) -> Void)? = nil
  ) {
    sendCode(.passwordReset, email, actionCodeSettings.members, completion)
  }

  /// Sends a link by which the user signs in.
  public nonisolated(nonsending) func sendSignInLink(
    toEmail email: String, actionCodeSettings: ActionCodeSettings
  ) async throws {
    try await sendCode(.emailLink, email, actionCodeSettings.members)
  }

  /// Does the same, and calls `completion` then.
  public func sendSignInLink(
    toEmail email: String, actionCodeSettings: ActionCodeSettings,
    completion: (((any Error)?) -> Void)? = nil
  ) {
    sendCode(.emailLink, email, actionCodeSettings.members, completion)
  }

  // MARK: Using

  /// Returns whether a link signs a user in.
  public func isSignIn(withEmailLink link: String) -> Bool {
    (try? EmailLink(link))?.mode == "signIn"
  }

  /// Returns the meaning of a code, which stays good.
  public func checkActionCode(_ code: String) async throws -> ActionCodeInfo {
    try await keeper.inOrder { [keeper] () async throws(AuthFailure) in
      ActionCodeInfo(try await keeper.resetPassword(code))
    }
  }

  /// Does the same, and calls `completion` with the meaning.
  public func checkActionCode(
    _ code: String, completion: @escaping (ActionCodeInfo?, (any Error)?) -> Void
  ) {
    keeper.inOrder(completion) { [keeper] () async throws(AuthFailure) in
      ActionCodeInfo(try await keeper.resetPassword(code))
    }
  }

  /// Returns the address of a code for a new password. The code stays good.
  public func verifyPasswordResetCode(_ code: String) async throws -> String {
    try await checkActionCode(code).email
  }

  /// Does the same, and calls `completion` with the address.
  public func verifyPasswordResetCode(
    _ code: String, completion: @escaping (String?, (any Error)?) -> Void
  ) {
    checkActionCode(code) { info, error in completion(info?.email, error) }
  }

  /// Does what a code is for, such as the verification of an address.
  public func applyActionCode(_ code: String) async throws {
    try await keeper.inOrder { [keeper] () async throws(AuthFailure) in
      try await keeper.apply(code)
    }
  }

  /// Does the same, and calls `completion` then.
  public func applyActionCode(_ code: String, completion: @escaping ((any Error)?) -> Void) {
    keeper.inOrder(completion) { [keeper] () async throws(AuthFailure) in
      try await keeper.apply(code)
    }
  }

  /// Sets a new password by a code.
  public func confirmPasswordReset(withCode code: String, newPassword: String) async throws {
    try await keeper.inOrder { [keeper] () async throws(AuthFailure) in
      _ = try await keeper.resetPassword(code, to: newPassword)
    }
  }

  /// Does the same, and calls `completion` then.
  public func confirmPasswordReset(
    withCode code: String, newPassword: String, completion: @escaping ((any Error)?) -> Void
  ) {
    keeper.inOrder(completion) { [keeper] () async throws(AuthFailure) in
      _ = try await keeper.resetPassword(code, to: newPassword)
    }
  }

  /// Returns the codes that were not used yet, the oldest first: accounts in the process, and those
  /// of a server without secrets, send no mail. They are forgotten when the process of the accounts
  /// ends.
  public func waitingCodes() async throws -> [WaitingCode] {
    try await keeper.inOrder { [keeper] () async throws(AuthFailure) in
      try await keeper.calls.waitingCodes().map { WaitingCode($0) }
    }
  }

  private func sendCode(
    _ operation: ActionCodeOperation, _ email: String, _ members: [(String, JSONValue)]
  ) async throws {
    try await keeper.inOrder { [keeper] () async throws(AuthFailure) in
      try await keeper.sendCode(operation.rawValue, [("email", .string(email))] + members)
    }
  }

  private func sendCode(
    _ operation: ActionCodeOperation, _ email: String, _ members: [(String, JSONValue)],
    _ completion: (((any Error)?) -> Void)?
  ) {
    keeper.inOrder(completion) { [keeper] () async throws(AuthFailure) in
      try await keeper.sendCode(operation.rawValue, [("email", .string(email))] + members)
    }
  }
}
