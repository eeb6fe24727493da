import HearthFirestoreJSON

extension User {
  /// Sends a link by which the user shows that the address is the own one.
  public func sendEmailVerification() async throws {
    try await sendCode("VERIFY_EMAIL", [])
  }

  /// Does the same, and calls `completion` then.
  public func sendEmailVerification(completion: (((any Error)?) -> Void)? = nil) {
    sendCode("VERIFY_EMAIL", [], completion)
  }

  /// Does the same, with a target of the link.
  public nonisolated(nonsending) func sendEmailVerification(
    with actionCodeSettings: ActionCodeSettings
  ) async throws {
    try await sendCode("VERIFY_EMAIL", actionCodeSettings.members)
  }

  /// Does the same, and calls `completion` then.
  public func sendEmailVerification(
    with actionCodeSettings: ActionCodeSettings, completion: (((any Error)?) -> Void)? = nil
  ) {
    sendCode("VERIFY_EMAIL", actionCodeSettings.members, completion)
  }

  /// Sends a link to a new address, which becomes the account's when the link is opened.
  public func sendEmailVerification(beforeUpdatingEmail newEmail: String) async throws {
    try await sendCode("VERIFY_AND_CHANGE_EMAIL", [("newEmail", .string(newEmail))])
  }

  /// Does the same, and calls `completion` then.
  public func sendEmailVerification(
    beforeUpdatingEmail newEmail: String, completion: (((any Error)?) -> Void)? = nil
  ) {
    sendCode("VERIFY_AND_CHANGE_EMAIL", [("newEmail", .string(newEmail))], completion)
  }

  private func sendCode(_ kind: String, _ members: [(String, JSONValue)]) async throws {
    try await keeper.inOrder { [keeper, session] () async throws(AuthFailure) in
      try await keeper.sendCode(kind, to: session, members)
    }
  }

  private func sendCode(
    _ kind: String, _ members: [(String, JSONValue)], _ completion: (((any Error)?) -> Void)?
  ) {
    keeper.inOrder(completion) { [keeper, session] () async throws(AuthFailure) in
      try await keeper.sendCode(kind, to: session, members)
    }
  }
}
