import HearthFirestoreJSON
import HearthTokens

extension AccountCall {
  /// Writes an account that signs in now, and a refresh token of it.
  ///
  /// - Parameter old: the account as it is stored; `nil` for a new one.
  func begin(
    _ account: Account, replacing old: Account?, by provider: String, claims: String? = nil,
    in accounts: AccountTransaction
  ) throws(AccountError) -> Session {
    var account = account
    account.lastLoginAt = now
    account.lastRefreshAt = now
    let token = Secret.random()
    accounts.write(
      RefreshRecord(
        accountID: account.id, incarnation: account.incarnation,
        revocationCount: account.revocationCount, provider: provider, authTime: now / 1000,
        claims: claims),
      of: token)
    try accounts.put(account, replacing: old)
    return Session(
      account: account, provider: provider, authTime: now / 1000, claims: claims,
      refreshToken: token)
  }

  /// Returns the members of an answer that signs a user in.
  ///
  /// - Throws: a refusal with status 500 if no token can be made.
  func tokens(of session: Session) throws(AccountError) -> [(String, JSONValue)] {
    [
      ("idToken", .string(try idToken(of: session))),
      ("refreshToken", .string(session.refreshToken)),
      // A number would count as absent on iOS.
      ("expiresIn", .string("\(IDTokenClaims.lifetime)")),
    ]
  }

  func idToken(of session: Session) throws(AccountError) -> String {
    do {
      return try mode.tokens.token(
        IDTokenClaims.members(of: session, project: project, now: now / 1000))
    } catch {
      throw AccountError(status: 500, "The token can't be made: \(error)")
    }
  }
}
