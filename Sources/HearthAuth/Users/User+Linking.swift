extension User {
  // MARK: Linking

  /// Adds a way to sign in to the account. The id stays, so an anonymous user keeps all documents.
  ///
  /// - Throws: `credentialAlreadyInUse` for a credential of another account. The error has a new
  ///   credential for a sign-in to that one (``AuthErrorUserInfoUpdatedCredentialKey``).
  @discardableResult
  public func link(with credential: AuthCredential) async throws -> AuthDataResult {
    try await keeper.inOrder { [keeper, session] () async throws(AuthFailure) in
      AuthDataResult(try await keeper.link(session, with: credential), keeper)
    }
  }

  /// Does the same, and calls `completion` with the result.
  public func link(
    with credential: AuthCredential,
    completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil
  ) {
    keeper.inOrder(completion) { [keeper, session] () async throws(AuthFailure) in
      AuthDataResult(try await keeper.link(session, with: credential), keeper)
    }
  }

  /// Removes a way to sign in from the account, such as `apple.com`.
  @discardableResult
  public func unlink(fromProvider provider: String) async throws -> User {
    try await keeper.inOrder { [keeper, session] () async throws(AuthFailure) in
      try await keeper.unlink(session, from: provider)
    }
    return self
  }

  /// Does the same, and calls `completion` with the user.
  public func unlink(
    fromProvider provider: String, completion: ((User?, (any Error)?) -> Void)? = nil
  ) {
    keeper.inOrder(completion) { [keeper, session] () async throws(AuthFailure) in
      try await keeper.unlink(session, from: provider)
      return User(session, keeper)
    }
  }

  // MARK: Signing in again

  /// Signs the user in again, as deleting the account and other changes may ask for.
  ///
  /// - Throws: `userMismatch` for the credential of another user.
  @discardableResult
  public func reauthenticate(with credential: AuthCredential) async throws -> AuthDataResult {
    try await keeper.inOrder { [keeper, session] () async throws(AuthFailure) in
      AuthDataResult(try await keeper.reauthenticate(session, with: credential), keeper)
    }
  }

  /// Does the same, and calls `completion` with the result.
  public func reauthenticate(
    with credential: AuthCredential,
    completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil
  ) {
    keeper.inOrder(completion) { [keeper, session] () async throws(AuthFailure) in
      AuthDataResult(try await keeper.reauthenticate(session, with: credential), keeper)
    }
  }
}
