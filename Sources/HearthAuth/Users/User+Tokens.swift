extension User {
  /// Returns an ID token that is good for some minutes at least.
  ///
  /// A new one is asked for when the present one ends within five minutes; simultaneous calls share
  /// one request. A user whose refresh token is refused is signed out.
  ///
  /// - Parameter forcingRefresh: whether a new token is asked for in any case, for example to get
  ///   changed claims.
  public func getIDToken(forcingRefresh: Bool = false) async throws -> String {
    try await keeper.atOnce { [keeper, session] () async throws(AuthFailure) in
      try await keeper.token(of: session, forcing: forcingRefresh)
    }
  }

  /// Does the same, with the older spelling.
  public func idTokenForcingRefresh(_ forceRefresh: Bool) async throws -> String {
    try await getIDToken(forcingRefresh: forceRefresh)
  }

  /// Does the same, and calls `completion` with the token.
  public func getIDToken(completion: ((String?, (any Error)?) -> Void)?) {
    getIDTokenForcingRefresh(false, completion: completion)
  }

  /// Does the same, and calls `completion` with the token.
  public func getIDTokenForcingRefresh(
    _ forceRefresh: Bool, completion: ((String?, (any Error)?) -> Void)?
  ) {
    keeper.atOnce(completion) { [keeper, session] () async throws(AuthFailure) in
      try await keeper.token(of: session, forcing: forceRefresh)
    }
  }

  /// Returns an ID token with its claims.
  public func getIDTokenResult(forcingRefresh: Bool = false) async throws -> AuthTokenResult {
    try await keeper.atOnce { [keeper, session] () async throws(AuthFailure) in
      try AuthTokenResult(try await keeper.token(of: session, forcing: forcingRefresh))
    }
  }

  /// Does the same, and calls `completion` with the token.
  public func getIDTokenResult(completion: ((AuthTokenResult?, (any Error)?) -> Void)?) {
    getIDTokenResult(forcingRefresh: false, completion: completion)
  }

  /// Does the same, and calls `completion` with the token.
  public func getIDTokenResult(
    forcingRefresh: Bool, completion: ((AuthTokenResult?, (any Error)?) -> Void)?
  ) {
    keeper.atOnce(completion) { [keeper, session] () async throws(AuthFailure) in
      try AuthTokenResult(try await keeper.token(of: session, forcing: forcingRefresh))
    }
  }
}
