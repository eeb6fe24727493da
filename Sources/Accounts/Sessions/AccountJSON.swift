import HearthDocumentModel
import HearthFirestoreJSON

/// The form of an account in answers (A§11).
enum AccountJSON {
  /// The text in place of a password's hash, by which clients know that there is one.
  static let redactedHash = "UkVEQUNURUQ="

  static func json(of account: Account) -> JSONValue {
    var members: [(String, JSONValue)] = [("localId", .string(account.id))]
    members.append("email", account.email)
    if account.email != nil { members.append(("emailVerified", .boolean(account.isEmailVerified))) }
    members.append("displayName", account.displayName)
    members.append("photoUrl", account.photoURL)
    members.append("phoneNumber", account.phoneNumber)
    let providers = providerUserInfo(of: account)
    if !providers.isEmpty { members.append(("providerUserInfo", .array(providers))) }
    if let password = account.password {
      members.append("passwordHash", redactedHash)
      members.append(("passwordUpdatedAt", .integer(password.updatedAt)))
    }
    members += [
      ("validSince", .string("\(account.validSince)")), ("disabled", .boolean(account.isDisabled)),
      ("createdAt", .string("\(account.createdAt)")),
    ]
    members.append("lastLoginAt", account.lastLoginAt.map { "\($0)" })
    members.append("lastRefreshAt", account.lastRefreshAt.flatMap(time))
    members.append("customAttributes", account.customAttributes)
    members.append("initialEmail", account.initialEmail)
    if account.isCustom { members.append(("customAuth", .boolean(true))) }
    if account.usesEmailLinks { members.append(("emailLinkSignin", .boolean(true))) }
    return .object(members)
  }

  /// Returns the providers of an account, those of its password and number among them.
  static func providerUserInfo(of account: Account) -> [JSONValue] {
    var providers = account.identities.map(json)
    if let email = account.email, account.password != nil || account.usesEmailLinks {
      var members: [(String, JSONValue)] = [("providerId", .string("password"))]
      members.append("displayName", account.displayName)
      members.append("photoUrl", account.photoURL)
      for name in ["federatedId", "email", "rawId"] { members.append(name, email) }
      providers.append(.object(members))
    }
    if let number = account.phoneNumber {
      providers.append(
        .object([
          ("providerId", .string("phone")), ("phoneNumber", .string(number)),
          ("rawId", .string(number)),
        ]))
    }
    return providers
  }

  /// Returns the members that show an account after a change.
  static func changedMembers(of account: Account) -> [(String, JSONValue)] {
    var members: [(String, JSONValue)] = [("localId", .string(account.id))]
    members.append("email", account.email)
    members.append(("emailVerified", .boolean(account.isEmailVerified)))
    members.append("displayName", account.displayName)
    members.append("photoUrl", account.photoURL)
    members.append(("providerUserInfo", .array(providerUserInfo(of: account))))
    if account.password != nil { members.append("passwordHash", redactedHash) }
    return members
  }

  private static func json(of identity: Account.Identity) -> JSONValue {
    var members: [(String, JSONValue)] = [
      ("providerId", .string(identity.providerID)), ("rawId", .string(identity.rawID)),
      ("federatedId", .string(identity.rawID)),
    ]
    members.append("email", identity.email)
    members.append("displayName", identity.displayName)
    members.append("photoUrl", identity.photoURL)
    return .object(members)
  }

  /// Returns a time as RFC 3339 has it; `nil` for one that no calendar has.
  private static func time(_ milliseconds: Int64) -> String? {
    let (microseconds, overflows) = milliseconds.multipliedReportingOverflow(by: 1000)
    return overflows ? nil : try? Timestamp(microseconds: microseconds).rfc3339
  }
}
