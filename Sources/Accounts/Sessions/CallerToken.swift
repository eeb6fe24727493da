import HearthFirestoreJSON
import HearthTokens

/// The ID token by which a client makes a call for its user.
struct CallerToken: Sendable {
  let accountID: String
  /// The way of the sign-in.
  let provider: String
  /// The second of the sign-in, and that of the token.
  let authTime: Int64
  let issuedAt: Int64
  let claims: [(String, JSONValue)]
}

extension AccountCall {
  /// Reads and checks an ID token.
  ///
  /// - Throws: `INVALID_ID_TOKEN`, `TOKEN_EXPIRED`.
  func callerToken(_ token: String) throws(AccountError) -> CallerToken {
    let members = try mode.claims(ofIDToken: token, for: project, at: now / 1000)
    let json = JSONValue.object(members)
    guard let id = json["sub"]?.string ?? json["user_id"]?.string, !id.isEmpty,
      let issued = json["iat"]?.wholeNumber
    else { throw AccountError("INVALID_ID_TOKEN") }
    return CallerToken(
      accountID: id, provider: json["firebase"]?["sign_in_provider"]?.string ?? "custom",
      authTime: json["auth_time"]?.wholeNumber ?? issued, issuedAt: issued, claims: members)
  }

  /// Refuses a change that only a user who has signed in lately may make.
  ///
  /// - Throws: `CREDENTIAL_TOO_OLD_LOGIN_AGAIN`.
  func needsRecentSignIn(_ token: CallerToken) throws(AccountError) {
    if let longest = mode.recentSignInTime, now / 1000 - token.authTime > longest {
      throw AccountError("CREDENTIAL_TOO_OLD_LOGIN_AGAIN")
    }
  }
}

extension AccountTransaction {
  /// Returns the account that a token is for.
  ///
  /// - Throws: `USER_NOT_FOUND`, `USER_DISABLED`; `TOKEN_EXPIRED` for one of before a revocation.
  func account(of token: CallerToken) throws(AccountError) -> Account {
    guard let account = try account(token.accountID) else { throw .userNotFound }
    guard !account.isDisabled else { throw .userDisabled }
    // A token of the second of the change is good: it may be the one that the change has given.
    guard token.authTime >= account.validSince, token.issuedAt >= account.validSince else {
      throw .tokenExpired
    }
    return account
  }
}

extension JSONValue {
  /// The whole number; `nil` for another value.
  var wholeNumber: Int64? {
    switch self {
    case .integer(let number): number
    case .double(let number): Int64(exactly: number)
    default: nil
    }
  }
}
