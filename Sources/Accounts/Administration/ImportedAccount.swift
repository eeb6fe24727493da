import HearthFirestoreJSON

/// One account of an import.
struct ImportedAccount {
  let call: AccountCall
  let fields: RequestFields

  /// - Parameter hash: the hash of the password; `nil` for none.
  /// - Throws: a refusal for the first field that isn't good.
  func account(hash: String?) throws(AccountError) -> Account {
    guard let id = try fields.text("localId") else { throw AccountError("localId is missing") }
    try AccountID.check(id)
    let call = call.with(fields)
    var account = Account(id: id, call: call)
    if let email = try fields.text("email") { account.email = try ContactRules.email(email) }
    account.initialEmail = try fields.text("initialEmail") ?? account.email
    try call.setProfile(of: &account)
    try AdministratorChanges(call: call).apply(to: &account)
    if let hash { account.password = Account.Password(hash: hash, updatedAt: call.now) }
    account.usesEmailLinks = try fields.flag("emailLinkSignin") ?? false
    account.isCustom = try fields.flag("customAuth") ?? false
    for provider in try fields.messages("providerUserInfo") {
      guard let identity = try identity(provider, of: &account) else { continue }
      account.identities.removeAll { $0.providerID == identity.providerID }
      account.identities.append(identity)
    }
    return account
  }

  /// Returns the identity that an entry tells of; `nil` for one of a password or a number, which
  /// are no identities.
  private func identity(
    _ entry: RequestFields, of account: inout Account
  ) throws(AccountError) -> Account.Identity? {
    guard let provider = try entry.text("providerId") else {
      throw AccountError("providerId is missing")
    }
    if provider == "password" || provider == "phone" { return nil }
    let (rawID, federatedID) = (try entry.text("rawId"), try entry.text("federatedId"))
    guard let id = rawID ?? federatedID else {
      throw AccountError("federatedId or (providerId & rawId) is required")
    }
    return Account.Identity(
      providerID: provider, rawID: id, email: try entry.text("email"),
      displayName: try entry.text("displayName"), photoURL: try entry.text("photoUrl"))
  }
}
