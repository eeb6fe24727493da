import Foundation
import Synchronization

/// The present session of one user. It changes with the user's tokens and data.
final class UserSession: Sendable {
  typealias Renewal = Task<Result<String, AuthFailure>, Never>

  /// Seconds before a token's end from which a new one is asked for.
  private static let reserve = 300.0

  private struct State {
    var session: Session
    /// The call for new tokens, which all who need one wait for; `nil` for none.
    var renewal: Renewal?
  }

  private let state: Mutex<State>
  let uid: String

  init(_ session: Session) {
    uid = session.account.uid
    state = Mutex(State(session: session))
  }

  var session: Session { state.withLock { $0.session } }
  var account: AccountDetails { session.account }

  func change(_ body: (inout Session) -> Void) { state.withLock { body(&$0.session) } }

  /// A token, or the call that brings one.
  enum Supply {
    case token(String)
    case renewal(Renewal)
  }

  /// Returns the token if it is good for some time; otherwise the renewal that is going on, or a
  /// new one.
  ///
  /// - Parameters:
  ///   - forcing: whether even a good token is renewed.
  ///   - renew: brings new tokens, and puts them into the session.
  func supply(
    at now: Date, forcing: Bool,
    _ renew: @escaping @Sendable () async -> Result<String, AuthFailure>
  ) -> Supply {
    state.withLock { state in
      if let renewal = state.renewal { return .renewal(renewal) }
      let tokens = state.session.tokens
      if !forcing, tokens.expiration.timeIntervalSince(now) > UserSession.reserve {
        return .token(tokens.idToken)
      }
      let renewal = Renewal {
        let result = await renew()
        self.state.withLock { $0.renewal = nil }
        return result
      }
      state.renewal = renewal
      return .renewal(renewal)
    }
  }
}
