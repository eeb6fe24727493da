extension Auth {
  // MARK: Anonymous users

  /// Signs in a new user without name and password. A user who is anonymous already stays.
  @discardableResult
  public func signInAnonymously() async throws -> AuthDataResult {
    try await keeper.inOrder { [keeper] () async throws(AuthFailure) in
      AuthDataResult(try await keeper.signInAnonymously(), keeper)
    }
  }

  /// Does the same, and calls `completion` with the result.
  public func signInAnonymously(
    completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil
  ) {
    keeper.inOrder(completion) { [keeper] () async throws(AuthFailure) in
      AuthDataResult(try await keeper.signInAnonymously(), keeper)
    }
  }

  // MARK: E-mail and password

  /// Makes an account with a password, and signs in to it.
  @discardableResult
  public func createUser(
    withEmail email: String, password: String
  ) async throws -> AuthDataResult {
    try await keeper.inOrder { [keeper] () async throws(AuthFailure) in
      AuthDataResult(try await keeper.createUser(email, password), keeper)
    }
  }

  /// Does the same, and calls `completion` with the result.
  public func createUser(
    withEmail email: String, password: String,
    completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil
  ) {
    keeper.inOrder(completion) { [keeper] () async throws(AuthFailure) in
      AuthDataResult(try await keeper.createUser(email, password), keeper)
    }
  }

  /// Signs in by an address and its password.
  @discardableResult
  public func signIn(
    withEmail email: String, password: String
  ) async throws -> AuthDataResult {
    try await signIn(with: EmailAuthProvider.credential(withEmail: email, password: password))
  }

  /// Does the same, and calls `completion` with the result.
  public func signIn(
    withEmail email: String, password: String,
    completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil
  ) {
    signIn(
      with: EmailAuthProvider.credential(withEmail: email, password: password),
      completion: completion)
  }

  /// Signs in by an address and the link that was sent to it.
  @discardableResult
  public func signIn(withEmail email: String, link: String) async throws -> AuthDataResult {
    try await signIn(with: EmailAuthProvider.credential(withEmail: email, link: link))
  }

  /// Does the same, and calls `completion` with the result.
  public func signIn(
    withEmail email: String, link: String,
    completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil
  ) {
    signIn(
      with: EmailAuthProvider.credential(withEmail: email, link: link), completion: completion)
  }

  // MARK: Credentials and tokens

  /// Signs in by a credential, such as Apple's. A user who is new gets an account.
  @discardableResult
  public func signIn(with credential: AuthCredential) async throws -> AuthDataResult {
    try await keeper.inOrder { [keeper] () async throws(AuthFailure) in
      AuthDataResult(try await keeper.signIn(with: credential), keeper)
    }
  }

  /// Does the same, and calls `completion` with the result.
  public func signIn(
    with credential: AuthCredential,
    completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil
  ) {
    keeper.inOrder(completion) { [keeper] () async throws(AuthFailure) in
      AuthDataResult(try await keeper.signIn(with: credential), keeper)
    }
  }

  /// Signs in by a token that the application's own server has made.
  @discardableResult
  public func signIn(withCustomToken token: String) async throws -> AuthDataResult {
    try await keeper.inOrder { [keeper] () async throws(AuthFailure) in
      AuthDataResult(try await keeper.signIn(customToken: token), keeper)
    }
  }

  /// Does the same, and calls `completion` with the result.
  public func signIn(
    withCustomToken token: String,
    completion: ((AuthDataResult?, (any Error)?) -> Void)? = nil
  ) {
    keeper.inOrder(completion) { [keeper] () async throws(AuthFailure) in
      AuthDataResult(try await keeper.signIn(customToken: token), keeper)
    }
  }
}
