import HearthFirestoreJSON

/// The changes that only administrators make in an account (A§3.6, A§10).
struct AdministratorChanges {
  let call: AccountCall

  func apply(to account: inout Account) throws(AccountError) {
    let fields = call.fields
    if let isVerified = try fields.flag("emailVerified") { account.isEmailVerified = isVerified }
    for name in ["disabled", "disableUser"] {
      if let isDisabled = try fields.flag(name) { account.isDisabled = isDisabled }
    }
    if let text = try fields.text("customAttributes") {
      account.customAttributes = try ClaimRules.checked(text)
    }
    if let number = try fields.text("phoneNumber") {
      account.phoneNumber = try ContactRules.phoneNumber(number)
    }
    if let second = try fields.integer("validSince") {
      // The tokens of the present second are meant to end as well.
      if second >= call.now / 1000 { account.revokeTokens(now: call.now) }
      account.validSince = second
    }
    if let time = try fields.integer("createdAt") { account.createdAt = time }
    if let time = try fields.integer("lastLoginAt") { account.lastLoginAt = time }
    if let link = try fields.message("linkProviderUserInfo") { try self.link(link, to: &account) }
    if let factors = try fields.message("mfa"), factors.has("enrollments"),
      try !factors.messages("enrollments").isEmpty
    {
      throw .operationNotAllowed
    }
  }

  private func link(
    _ fields: RequestFields, to account: inout Account
  ) throws(AccountError) {
    guard let provider = try fields.text("providerId") else {
      throw AccountError("MISSING_PROVIDER_ID")
    }
    guard let id = try fields.text("rawId") else { throw AccountError("MISSING_RAW_ID") }
    let identity = Account.Identity(
      providerID: provider, rawID: id, email: try fields.text("email"),
      displayName: try fields.text("displayName"), photoURL: try fields.text("photoUrl"))
    account.identities.removeAll { $0.providerID == provider }
    account.identities.append(identity)
  }
}
