import HearthDocumentModel

/// A refresh token, as it is stored: under the digest of the token, which itself is nowhere.
struct RefreshRecord: Sendable, Equatable {
  var accountID: String
  /// The mark of the account at the sign-in.
  var incarnation: String
  var revocationCount: Int64
  /// The way of the sign-in, such as `password` or `apple.com`.
  var provider: String
  /// The second of the sign-in.
  var authTime: Int64
  /// The claims of the custom token of the sign-in: JSON of an object; `nil` for none.
  var claims: String?

  var fields: MapValue {
    var fields: MapValue = [
      "account": .string(accountID), "incarnation": .string(incarnation),
      "revocationCount": .integer(revocationCount), "provider": .string(provider),
      "authTime": .integer(authTime),
    ]
    fields["claims"] = claims.map(Value.string)
    return fields
  }
}

extension RefreshRecord {
  /// - Returns: `nil` for fields that no such record has.
  init?(fields: MapValue) {
    guard let accountID = fields.text("account"), let incarnation = fields.text("incarnation"),
      let revocationCount = fields.number("revocationCount"),
      let provider = fields.text("provider"), let authTime = fields.number("authTime")
    else { return nil }
    self.init(
      accountID: accountID, incarnation: incarnation, revocationCount: revocationCount,
      provider: provider, authTime: authTime, claims: fields.text("claims"))
  }
}
