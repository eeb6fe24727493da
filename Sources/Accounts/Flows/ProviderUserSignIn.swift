/// The sign-in of a provider's user who isn't signed in yet (A§6.1).
struct ProviderUserSignIn {
  let call: AccountCall
  let user: ProviderUser

  /// - Parameter createsAccounts: whether an unknown user gets an account.
  func outcome(
    in accounts: AccountTransaction, createsAccounts: Bool
  ) throws(AccountError) -> ProviderSignIn.Outcome {
    let identity = user.identity
    if let known = try accounts.account(providerID: identity.providerID, rawID: identity.rawID) {
      guard !known.isDisabled else { throw .userDisabled }
      let session = try call.begin(
        known, replacing: known, by: identity.providerID, in: accounts)
      return .signedIn(session, isNew: false)
    }
    let owner = try identity.email.flatMap { email throws(AccountError) in
      try accounts.account(email: email)
    }
    if let owner, try !accounts.settings().allowsDuplicateEmails {
      guard user.isEmailVerified else { return .needsConfirmation(owner) }
      return try join(owner, in: accounts)
    }
    guard createsAccounts else { throw .userNotFound }
    var account = Account(call: call)
    if owner == nil {
      account.email = identity.email
      account.initialEmail = identity.email
      account.isEmailVerified = identity.email != nil && user.isEmailVerified
    }
    account.displayName = identity.displayName
    account.photoURL = identity.photoURL
    account.identities = [identity]
    let session = try call.begin(account, replacing: nil, by: identity.providerID, in: accounts)
    return .signedIn(session, isNew: true)
  }

  /// Adds the identity to the account that has the address, which the provider vouches for.
  ///
  /// An account whose address was never verified may be that of a stranger: it keeps nothing by
  /// which it could be entered.
  private func join(
    _ owner: Account, in accounts: AccountTransaction
  ) throws(AccountError) -> ProviderSignIn.Outcome {
    guard !owner.isDisabled else { throw .userDisabled }
    var account = owner
    if !account.isEmailVerified { account.takeOver(now: call.now) }
    let provider = user.identity.providerID
    let isRecycled = owner.identity(at: provider) != nil
    account.identities.removeAll { $0.providerID == provider }
    account.identities.append(user.identity)
    account.isEmailVerified = true
    account.displayName = account.displayName ?? user.identity.displayName
    account.photoURL = account.photoURL ?? user.identity.photoURL
    let session = try call.begin(account, replacing: owner, by: provider, in: accounts)
    return .signedIn(session, isNew: false, isRecycled: isRecycled)
  }
}
