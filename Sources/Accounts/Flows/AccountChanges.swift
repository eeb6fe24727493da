import HearthFirestoreJSON

/// The changes that a request makes in an account.
struct AccountChanges: Sendable {
  let call: AccountCall
  /// The new address; `nil` for no change of it.
  let email: String?
  /// The hash of the new password; `nil` for no change of it.
  let passwordHash: String?

  /// An account after its change.
  struct Change: Sendable {
    let account: Account
    /// The sign-in in place of the one that the change has ended; `nil` if it goes on.
    let session: Session?
    /// The code by which the owner of the earlier address gets it back; `nil` for none.
    let recovery: SentCode?
  }

  /// Changes the account of a token, or the one that an administrator names.
  func apply(
    to caller: CallerToken?, or id: String?, in accounts: AccountTransaction
  ) throws(AccountError) -> Change {
    let old: Account
    if let caller {
      old = try accounts.account(of: caller)
    } else {
      guard let named = try accounts.account(id ?? "") else { throw .userNotFound }
      old = named
    }
    var account = old
    let settings = try accounts.settings()
    if caller != nil, let email, email != old.email, settings.protectsEmails {
      throw .unverifiedEmail
    }
    try changeCredentials(of: &account)
    try call.setProfile(of: &account)
    try removeAttributes(of: &account)
    removeProviders(try call.fields.texts("deleteProvider"), of: &account)
    if call.isAdministrator {
      try AdministratorChanges(call: call).apply(to: &account)
    }
    let recovery = caller == nil ? nil : try call.recovery(of: old, by: account, in: accounts)
    guard let caller, account.revocationCount != old.revocationCount else {
      try accounts.put(account, replacing: old)
      return Change(account: account, session: nil, recovery: recovery)
    }
    let isAnonymous = caller.provider == "anonymous"
    let provider = isAnonymous && account.password != nil ? "password" : caller.provider
    let session = try call.begin(account, replacing: old, by: provider, in: accounts)
    return Change(account: session.account, session: session, recovery: recovery)
  }

  private func changeCredentials(of account: inout Account) throws(AccountError) {
    if let email, email != account.email {
      account.setEmail(email)
      account.revokeTokens(now: call.now)
    }
    if let passwordHash {
      account.password = Account.Password(hash: passwordHash, updatedAt: call.now)
      account.revokeTokens(now: call.now)
    }
  }

  private func removeAttributes(of account: inout Account) throws(AccountError) {
    for attribute in try call.fields.texts("deleteAttribute") {
      switch attribute {
      case "DISPLAY_NAME", "2": account.displayName = nil
      case "PHOTO_URL", "4": account.photoURL = nil
      case "EMAIL", "1":
        account.email = nil
        account.isEmailVerified = false
        account.revokeTokens(now: call.now)
      case "PASSWORD", "5": account.password = nil
      case "PROVIDER", "3": account.identities = []
      case "RAW_USER_INFO", "6", "USER_ATTRIBUTE_NAME_UNSPECIFIED", "0": break
      default: throw AccountError("INVALID_ATTRIBUTE", "\(attribute) is no attribute.")
      }
    }
  }

  private func removeProviders(_ providers: [String], of account: inout Account) {
    for provider in providers {
      switch provider {
      case "password":
        account.password = nil
        account.usesEmailLinks = false
      case "phone": account.phoneNumber = nil
      default: account.identities.removeAll { $0.providerID == provider }
      }
    }
  }
}

extension AccountCall {
  /// Whether the request takes an address or a password away, or changes one.
  func changesCredentials() throws(AccountError) -> Bool {
    if fields.has("email") || fields.has("password") { return true }
    if try fields.texts("deleteProvider").contains("password") { return true }
    let removed = try fields.texts("deleteAttribute")
    return removed.contains { ["EMAIL", "1", "PASSWORD", "5"].contains($0) }
  }
}
