public import HearthDocumentModel

/// The user who makes a request.
public struct RulesAuth: Sendable {
  /// The user's id: the claim `sub` if it is a string.
  public let uid: String?
  /// All claims of the token.
  public let token: MapValue

  /// Creates a user from the claims of a token.
  public init(claims: MapValue) {
    token = claims
    if case .string(let subject)? = claims["sub"] { uid = subject } else { uid = nil }
  }
}

extension RulesAuth {
  /// The value of `request.auth`.
  var value: RulesValue {
    .map(
      RulesMap(distinct: [
        ("token", .map(.stored(token))), ("uid", uid.map { .string($0) } ?? .null),
      ]))
  }
}
