public import Foundation

/// An ID token and its claims.
public final class AuthTokenResult: Sendable {
  /// The token.
  public let token: String
  private let content: TokenClaims

  init(_ token: String) throws(AuthFailure) {
    self.token = token
    content = try TokenClaims(token)
  }

  /// The end of the token.
  public var expirationDate: Date { content.date("exp") }
  /// The time of the sign-in.
  public var authDate: Date { content.date("auth_time") }
  /// The time at which the token was made.
  public var issuedAtDate: Date { content.date("iat") }
  /// The way of the sign-in, such as `password` or `apple.com`.
  public var signInProvider: String { content.signInProvider }
  /// All claims, those that an administrator has set among them.
  public var claims: [String: Any] {
    Dictionary(content.members.map { ($0.0, $0.1.any) }, uniquingKeysWith: { $1 })
  }
}
