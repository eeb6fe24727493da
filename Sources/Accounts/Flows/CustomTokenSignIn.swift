import HearthFirestoreJSON

/// The sign-in by a token that the application's own server has made (A§3.4).
struct CustomTokenSignIn {
  let call: AccountCall

  func answer() async throws(AccountError) -> AccountAnswer {
    guard let token = try call.fields.text("token") else {
      throw AccountError("MISSING_CUSTOM_TOKEN")
    }
    let custom = try await call.mode.customTokens.claims(
      of: token, for: call.project, at: call.now / 1000)
    let claims = custom.claims.isEmpty ? nil : JSONValue.object(custom.claims).line
    let id = custom.accountID
    let (session, isNew) = try await call.change { [call] accounts throws(AccountError) in
      let old = try accounts.account(id)
      var account = old ?? Account(id: id, call: call)
      guard !account.isDisabled else { throw .userDisabled }
      account.isCustom = true
      let session = try call.begin(
        account, replacing: old, by: "custom", claims: claims, in: accounts)
      return (session, old == nil)
    }
    return AccountAnswer(
      kind: "VerifyCustomTokenResponse",
      [("isNewUser", .boolean(isNew))] + (try call.tokens(of: session)))
  }
}
