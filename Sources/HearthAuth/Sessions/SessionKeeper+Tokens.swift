import Foundation

extension SessionKeeper {
  /// Returns an ID token of a user, a new one if the present one ends soon. All who ask at once
  /// share one call.
  ///
  /// - Throws: the refusal of a new token. A user whose refresh token is refused is signed out.
  func token(of user: UserSession, forcing: Bool = false) async throws(AuthFailure) -> String {
    switch user.supply(at: now(), forcing: forcing, { await self.renewed(user) }) {
    case .token(let token): return token
    case .renewal(let renewal): return try await renewal.value.get()
    }
  }

  /// Brings new tokens for a user. ``token(of:forcing:)`` shares the call.
  func renewed(_ user: UserSession) async -> Result<String, AuthFailure> {
    do throws(AuthFailure) {
      let answer = try await calls.renew(user.session.tokens.refreshToken)
      guard let tokens = Session.Tokens(answer, now: now()) else {
        throw AuthFailure(.internalError, "The accounts answered without a token.")
      }
      try change(user, isTold: true) { $0.tokens = tokens }
      return .success(tokens.idToken)
    } catch {
      return .failure(ended(user, by: error))
    }
  }

  /// Signs a user out whose token was refused.
  ///
  /// - Returns: the failure.
  func ended(_ user: UserSession, by failure: AuthFailure) -> AuthFailure {
    guard failure.code.endsSession else { return failure }
    do throws(AuthFailure) {
      try end(user)
      return failure
    } catch {
      var failure = failure
      failure.cause = error
      return failure
    }
  }

  /// Makes a call with a user's token. One that the accounts refuse for the token signs the user
  /// out.
  func withToken<Value>(
    of user: UserSession, _ body: (String) async throws(AuthFailure) -> Value
  ) async throws(AuthFailure) -> Value {
    let token = try await token(of: user)
    do throws(AuthFailure) {
      return try await body(token)
    } catch {
      throw ended(user, by: error)
    }
  }
}
