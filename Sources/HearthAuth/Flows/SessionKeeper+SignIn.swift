import HearthFirestoreJSON

extension SessionKeeper {
  private static let tokensPlease = ("returnSecureToken", JSONValue.boolean(true))

  /// Signs in as a new anonymous user; nothing changes if one is signed in already.
  func signInAnonymously() async throws(AuthFailure) -> SignInResult {
    if let current, try TokenClaims(current.session.tokens.idToken).isAnonymous {
      return SignInResult(user: current)
    }
    let answer = try await calls.call("signUp", [SessionKeeper.tokensPlease])
    return SignInResult(user: try await begin(answer), isNewUser: true)
  }

  /// Makes an account with a password, and signs in to it.
  func createUser(_ email: String, _ password: String) async throws(AuthFailure) -> SignInResult {
    let answer = try await calls.call(
      "signUp",
      [
        ("email", .string(email)), ("password", .string(password)), SessionKeeper.tokensPlease,
      ])
    return SignInResult(
      user: try await begin(answer), isNewUser: true, providerID: EmailAuthProvider.id)
  }

  /// Signs in by the token of an application's own server.
  func signIn(customToken: String) async throws(AuthFailure) -> SignInResult {
    let answer = try await calls.call(
      "signInWithCustomToken", [("token", .string(customToken)), SessionKeeper.tokensPlease])
    return SignInResult(
      user: try await begin(answer), isNewUser: answer["isNewUser"]?.boolean ?? false)
  }

  /// Signs in by a credential.
  func signIn(with credential: AuthCredential) async throws(AuthFailure) -> SignInResult {
    let (session, result) = try await session(of: credential, createsAccounts: true)
    let user = UserSession(session)
    try begin(user)
    return result(user)
  }

  /// Signs the user in again, by a credential of the same user.
  ///
  /// - Throws: `userMismatch` for the credential of another.
  func reauthenticate(
    _ user: UserSession, with credential: AuthCredential
  ) async throws(AuthFailure) -> SignInResult {
    do throws(AuthFailure) {
      let (session, result) = try await session(of: credential, createsAccounts: false)
      guard session.account.uid == user.uid else { throw AuthFailure(.userMismatch) }
      try change(user, isTold: true) { $0 = session }
      return result(user)
    } catch  where error.code == .userNotFound {
      throw AuthFailure(.userMismatch)
    }
  }

  // MARK: Sessions

  /// Asks for the session that a credential gives. Nothing else changes.
  private func session(
    of credential: AuthCredential, createsAccounts: Bool
  ) async throws(AuthFailure) -> (Session, @Sendable (UserSession) -> SignInResult) {
    switch credential {
    case let credential as EmailCredential:
      let (call, members) = try credential.signIn()
      let answer = try await calls.call(call, members)
      let isNew = answer["isNewUser"]?.boolean ?? false
      return (
        try await session(answer),
        { SignInResult(user: $0, isNewUser: isNew, providerID: EmailAuthProvider.id) }
      )
    case let credential as OAuthCredential:
      let answer = try await calls.call(
        "signInWithIdp", credential.members + [("autoCreate", .boolean(createsAccounts))])
      try credential.check(answer)
      return (
        try await session(answer),
        { SignInResult(user: $0).with(answer, credential: credential) }
      )
    default: throw AuthFailure(.invalidCredential)
    }
  }

  /// Makes the user of an answer with tokens the present one.
  private func begin(_ answer: JSONValue) async throws(AuthFailure) -> UserSession {
    let user = UserSession(try await session(answer))
    try begin(user)
    return user
  }

  private func session(_ answer: JSONValue) async throws(AuthFailure) -> Session {
    guard let tokens = Session.Tokens(answer, now: now()) else {
      throw AuthFailure(.internalError, "The accounts answered without a token.")
    }
    return Session(tokens: tokens, account: try await details(by: tokens.idToken))
  }

  /// Looks the account of a token up.
  func details(by token: String) async throws(AuthFailure) -> AccountDetails {
    try AccountDetails(try await calls.call("lookup", [("idToken", .string(token))]))
  }
}

extension TokenClaims {
  /// Whether the user has no way to sign in again.
  var isAnonymous: Bool { signInProvider == "anonymous" }
}
