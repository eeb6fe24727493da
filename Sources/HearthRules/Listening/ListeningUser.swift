package import Hearth
import Synchronization

/// The user of a listener, who may change while it goes on.
package final class ListeningUser: Sendable {
  private struct State {
    var user: DatabaseUser
    /// Whether the results were not judged for the user yet.
    var isNew = false
  }

  private let state: Mutex<State>
  package let database: Database
  /// A stream with an element each time there may be something to do for the listener.
  let signals: AsyncStream<Void>
  private let signal: AsyncStream<Void>.Continuation

  package init(_ user: DatabaseUser) {
    database = user.database
    state = Mutex(State(user: user))
    (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
  }

  /// Goes on for another user of the same database, or for the same one with other claims. The
  /// present results are judged again.
  package func change(to user: DatabaseUser) {
    state.withLock { $0 = State(user: user, isNew: true) }
    announce()
  }

  var judge: RulesJudge { state.withLock { $0.user.judge } }

  func announce() { signal.yield() }

  /// Returns whether there is a new user, once for each.
  func takeNews() -> Bool {
    state.withLock { state in
      defer { state.isNew = false }
      return state.isNew
    }
  }
}
