import HearthDocumentModel
import HearthFirestoreJSON
import HearthServerCalls
import HearthTokens

/// The check of callers by the tokens that the server has signed, and by access tokens, whose
/// bearers are administrators.
struct SignedCallers: CallerCheck {
  /// Refuses the token of a user who is gone or disabled, and one of before a revocation.
  typealias Revocation = @Sendable (TokenLimits) throws(DatabaseError) -> Void

  let tokens: any TokenIssuer
  let administrators: AccessTokens
  /// The time, in milliseconds since 1970.
  let now: @Sendable () -> Int64
  /// Waits for a time.
  let pause: @Sendable (Duration) async throws -> Void
  /// `nil` for tokens that are good until they expire.
  let revocation: Revocation?

  func identity(
    of authorization: String, for project: String?
  ) throws(DatabaseError) -> CallerIdentity {
    if administrators.contains(authorization) { return .administrator }
    let bearer = try BearerToken(authorization)
    do throws(TokenError) {
      let claims = try tokens.claims(bearer.text, for: project, at: now() / 1000)
      guard let limits = TokenLimits(claims) else { throw .malformed }
      return .user(claims: claims, within: limits)
    } catch {
      throw SignedCallers.refusal(error.description)
    }
  }

  func confirm(_ identity: CallerIdentity) throws(DatabaseError) {
    guard case .user(_, let limits?) = identity else { return }
    guard limits.expires > now() / 1000 else {
      throw SignedCallers.refusal(TokenError.expired.description)
    }
    try revocation?(limits)
  }

  func untilEnd(of identity: CallerIdentity) async throws {
    guard case .user(_, let limits?) = identity else {
      return try await UncheckedCallers().untilEnd(of: identity)
    }
    while case let left = limits.expires * 1000 - now(), left > 0 {
      try await pause(.milliseconds(left))
    }
  }

  static func refusal(_ reason: String) -> DatabaseError {
    DatabaseError(.unauthenticated, "The credentials are refused: \(reason).")
  }
}

extension TokenLimits {
  /// Reads the limits from the claims of a token that was checked.
  fileprivate init?(_ claims: [(String, JSONValue)]) {
    let claims = Dictionary(claims, uniquingKeysWith: { $1 })
    guard case .string(let project)? = claims["aud"], case .string(let id)? = claims["sub"],
      case .integer(let authTime)? = claims["auth_time"],
      case .integer(let issued)? = claims["iat"], case .integer(let end)? = claims["exp"]
    else { return nil }
    self.init(
      project: project, accountID: id, authTime: authTime, issuedAt: issued,
      // A later time can't be waited for.
      expires: min(end, issued + 14 * 24 * 3600))
  }
}
