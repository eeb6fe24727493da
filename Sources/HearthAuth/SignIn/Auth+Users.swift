import HearthFirestoreJSON

extension Auth {
  /// Makes another user the present one, such as one who was signed in before. The tokens are
  /// checked by reading the account; without a user, this is a sign-out.
  public func updateCurrentUser(_ user: User?) async throws {
    try await keeper.inOrder { [keeper] () async throws(AuthFailure) in
      try await Auth.update(keeper, to: user)
    }
  }

  /// Does the same, and calls `completion` then.
  public func updateCurrentUser(_ user: User?, completion: (((any Error)?) -> Void)? = nil) {
    keeper.inOrder(completion) { [keeper] () async throws(AuthFailure) in
      try await Auth.update(keeper, to: user)
    }
  }

  private static func update(_ keeper: SessionKeeper, to user: User?) async throws(AuthFailure) {
    guard let user else { return try keeper.begin(nil) }
    try await keeper.reload(user.session)
    try keeper.begin(user.session)
  }

  /// Returns the ways in which an address can sign in, such as `password`. It is empty for an
  /// unknown address, and for every one where the accounts keep silent about addresses.
  public func fetchSignInMethods(forEmail email: String) async throws -> [String] {
    try await keeper.inOrder { [keeper] () async throws(AuthFailure) in
      try await keeper.signInMethods(of: email)
    }
  }

  /// Does the same, and calls `completion` with the ways.
  public func fetchSignInMethods(
    forEmail email: String, completion: (([String]?, (any Error)?) -> Void)? = nil
  ) {
    keeper.inOrder(completion) { [keeper] () async throws(AuthFailure) in
      try await keeper.signInMethods(of: email)
    }
  }

  /// Ends the application's grant at Apple, as the deletion of an account asks for. The accounts
  /// here know of no grant, so nothing is ended there.
  public func revokeToken(withAuthorizationCode authorizationCode: String) async throws {
    guard let user = currentUser else { throw AuthFailure(.nullUser).error }
    let (keeper, session) = (keeper, user.session)
    try await keeper.inOrder { () async throws(AuthFailure) in
      try await keeper.withToken(of: session) { token throws(AuthFailure) in
        try await keeper.calls.secondCall(
          "revokeToken",
          [
            ("providerId", .string("apple.com")), ("tokenType", .string("3")),
            ("token", .string(authorizationCode)), ("idToken", .string(token)),
          ])
      }
    }
  }
}
