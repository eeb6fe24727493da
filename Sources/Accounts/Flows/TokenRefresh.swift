import HearthFirestoreJSON

/// The exchange of a refresh token for an ID token (A§4).
struct TokenRefresh {
  let call: AccountCall

  func answer() async throws(AccountError) -> AccountAnswer {
    guard let type = try call.fields.text("grantType") else {
      throw AccountError("MISSING_GRANT_TYPE")
    }
    guard type == "refresh_token" else { throw AccountError("INVALID_GRANT_TYPE") }
    guard let token = try call.fields.text("refreshToken") else {
      throw AccountError("MISSING_REFRESH_TOKEN")
    }
    let session = try await call.change { [call] accounts throws(AccountError) in
      guard let record = try accounts.refreshRecord(of: token) else {
        throw AccountError("INVALID_REFRESH_TOKEN")
      }
      var account = try TokenRefresh.account(of: record, in: accounts)
      let old = account
      account.lastRefreshAt = call.now
      try accounts.put(account, replacing: old)
      return Session(
        account: account, provider: record.provider, authTime: record.authTime,
        claims: record.claims, refreshToken: token)
    }
    let idToken = JSONValue.string(try call.idToken(of: session))
    return AccountAnswer(
      200,
      .object([
        ("access_token", idToken), ("expires_in", .string("\(IDTokenClaims.lifetime)")),
        ("token_type", .string("Bearer")), ("refresh_token", .string(session.refreshToken)),
        ("id_token", idToken), ("user_id", .string(session.account.id)),
        ("project_id", .string(ProjectNumber.text(of: call.project))),
      ]))
  }

  /// Returns the account that a refresh token is still good for.
  private static func account(
    of record: RefreshRecord, in accounts: AccountTransaction
  ) throws(AccountError) -> Account {
    guard let account = try accounts.account(record.accountID) else { throw .userNotFound }
    guard account.incarnation == record.incarnation,
      account.revocationCount == record.revocationCount, record.authTime >= account.validSince
    else { throw .tokenExpired }
    guard !account.isDisabled else { throw .userDisabled }
    return account
  }
}

/// The number that stands for a project beside its id.
enum ProjectNumber {
  /// Returns twelve digits, always the same ones for an id.
  static func text(of project: String) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in project.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return "\(100_000_000_000 + hash % 900_000_000_000)"
  }
}
