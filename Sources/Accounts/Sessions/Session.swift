/// A sign-in that has been written: the tokens for it can be made.
struct Session: Sendable {
  let account: Account
  /// The way of the sign-in, such as `password` or `apple.com`.
  let provider: String
  /// The second of the sign-in.
  let authTime: Int64
  /// The claims of the custom token of the sign-in: JSON of an object; `nil` for none.
  let claims: String?
  let refreshToken: String
}
