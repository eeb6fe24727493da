/// The linking of a provider's user with the account of the caller (A§6.2).
struct ProviderLinking {
  let call: AccountCall
  let user: ProviderUser

  /// Returns the reason not to link, in production's order; `nil` for none.
  static func refusal(
    of user: ProviderUser, for account: Account, in accounts: AccountTransaction
  ) throws(AccountError) -> AccountError? {
    let identity = user.identity
    if let own = account.identity(at: identity.providerID), own.rawID != identity.rawID {
      return AccountError("PROVIDER_ALREADY_LINKED")
    }
    if try accounts.account(providerID: identity.providerID, rawID: identity.rawID) != nil {
      return AccountError("FEDERATED_USER_ID_ALREADY_LINKED")
    }
    if let email = identity.email, let owner = try accounts.account(email: email),
      owner.id != account.id, try !accounts.settings().allowsDuplicateEmails
    {
      return .emailExists
    }
    return nil
  }

  /// Adds the identity to an account.
  func session(
    linking old: Account, in accounts: AccountTransaction
  ) throws(AccountError) -> Session {
    var account = old
    let identity = user.identity
    account.identities.append(identity)
    if let email = identity.email {
      if account.email == nil, try accounts.account(email: email) == nil {
        account.email = email
        account.initialEmail = account.initialEmail ?? email
        account.isEmailVerified = user.isEmailVerified
      } else if account.email == email, user.isEmailVerified {
        account.isEmailVerified = true
      }
    }
    return try call.begin(account, replacing: old, by: identity.providerID, in: accounts)
  }
}
