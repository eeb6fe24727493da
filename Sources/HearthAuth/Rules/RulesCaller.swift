import Dispatch
import Hearth
import HearthRules
import Synchronization

/// The user of one moment, as security rules see the user.
struct RulesCaller: Sendable {
  let rules: DatabaseRules
  let keeper: SessionKeeper
  /// The session; `nil` for a user who isn't signed in.
  let session: UserSession?

  init(_ rules: DatabaseRules, _ keeper: SessionKeeper, _ session: UserSession?) {
    self.rules = rules
    self.keeper = keeper
    self.session = session
  }

  /// Returns the database as the user sees it, by a token that is good. It may block its thread for
  /// a new one.
  ///
  /// - Throws: `unauthenticated` if there is no good token any more.
  func user() throws(DatabaseError) -> DatabaseUser {
    guard let session else { return rules.signedOut }
    return try user(by: token(of: session))
  }

  /// Returns the database as the user of the present token sees it, which may have ended.
  func presentUser() throws(DatabaseError) -> DatabaseUser {
    guard let session else { return rules.signedOut }
    return try user(by: session.session.tokens.idToken)
  }

  private func user(by token: String) throws(DatabaseError) -> DatabaseUser {
    do throws(AuthFailure) {
      return rules.asUser(RulesAuth(claims: try TokenClaims(token).fields))
    } catch {
      throw RulesCaller.refusal(by: error)
    }
  }

  private func token(of session: UserSession) throws(DatabaseError) -> String {
    let (keeper, now) = (keeper, keeper.now())
    let supply = session.supply(at: now, forcing: false) { await keeper.renewed(session) }
    switch supply {
    case .token(let token): return token
    case .renewal(let renewal):
      // The threads of requests may wait, and the renewal needs none of them.
      let outcome = Mutex<Result<String, AuthFailure>?>(nil)
      let isOver = DispatchSemaphore(value: 0)
      Task {
        let result = await renewal.value
        outcome.withLock { $0 = result }
        isOver.signal()
      }
      isOver.wait()
      do throws(AuthFailure) {
        return try outcome.withLock { $0 }?.get() ?? ""
      } catch {
        throw RulesCaller.refusal(by: error)
      }
    }
  }

  private static func refusal(by failure: AuthFailure) -> DatabaseError {
    DatabaseError(
      .unauthenticated, "The user has no good token: \(failure.detail ?? failure.code.text)",
      cause: failure.error)
  }
}
