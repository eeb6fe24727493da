import HearthFirestoreJSON
import HearthTokens

/// The claims of an ID token.
enum IDTokenClaims {
  /// Seconds for which a token is good.
  static let lifetime: Int64 = 3600

  /// - Parameter now: seconds since 1970.
  static func members(
    of session: Session, project: String, now: Int64
  ) -> [(String, JSONValue)] {
    let account = session.account
    var members: [(String, JSONValue)] = []
    members.append("name", account.displayName)
    members.append("picture", account.photoURL)
    for text in [account.customAttributes, session.claims] {
      for member in text.flatMap(ClaimRules.members) ?? [] { members.set(member.0, member.1) }
    }
    let issuer = SignedTokens.issuer(ofProject: project)
    for (name, text) in [("iss", issuer), ("aud", project)] { members.set(name, .string(text)) }
    members.set("auth_time", .integer(session.authTime))
    members.set("user_id", .string(account.id))
    members.set("sub", .string(account.id))
    members.set("iat", .integer(now))
    members.set("exp", .integer(now + lifetime))
    if let email = account.email {
      members.set("email", .string(email))
      members.set("email_verified", .boolean(account.isEmailVerified))
    }
    if let number = account.phoneNumber { members.set("phone_number", .string(number)) }
    if session.provider == "anonymous" { members.set("provider_id", .string("anonymous")) }
    members.set(
      "firebase",
      .object([
        ("identities", identities(of: account)), ("sign_in_provider", .string(session.provider)),
      ]))
    return members
  }

  private static func identities(of account: Account) -> JSONValue {
    var members: [(String, JSONValue)] = []
    for identity in account.identities {
      members.set(identity.providerID, .array([.string(identity.rawID)]))
    }
    if let email = account.email { members.set("email", .array([.string(email)])) }
    if let number = account.phoneNumber { members.set("phone", .array([.string(number)])) }
    return .object(members)
  }
}

extension [(String, JSONValue)] {
  /// Sets a member, and replaces an earlier one of its name.
  mutating func set(_ name: String, _ value: JSONValue) {
    if let index = firstIndex(where: { $0.0 == name }) {
      self[index].1 = value
    } else {
      append((name, value))
    }
  }
}
