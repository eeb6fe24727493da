import HearthFirestoreJSON
import HearthTokens

/// The making of a session cookie from an ID token (A§10).
struct SessionCookie {
  /// Seconds for which a cookie may be good: five minutes to two weeks.
  private static let durations: ClosedRange<Int64> = 300...1_209_600

  let call: AccountCall

  func answer() async throws(AccountError) -> AccountAnswer {
    guard let token = try call.fields.text("idToken") else {
      throw AccountError("MISSING_ID_TOKEN")
    }
    let duration = try call.fields.integer("validDuration") ?? SessionCookie.durations.upperBound
    guard SessionCookie.durations.contains(duration) else { throw AccountError("INVALID_DURATION") }
    let caller = try call.callerToken(token)
    _ = try await call.read { accounts throws(AccountError) in try accounts.account(of: caller) }
    var claims = caller.claims
    let now = call.now / 1000
    claims.set("iss", .string("https://session.firebase.google.com/\(call.project)"))
    claims.set("iat", .integer(now))
    claims.set("exp", .integer(now + duration))
    let cookie: String
    do {
      cookie = try call.mode.tokens.sessionCookie(claims)
    } catch {
      throw AccountError(status: 500, "The cookie can't be made: \(error)")
    }
    return AccountAnswer(200, .object([("sessionCookie", .string(cookie))]))
  }
}
