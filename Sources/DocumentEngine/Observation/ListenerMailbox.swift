package import DocumentModel
import OrderedStore

/// Event that one listener is told next.
package enum ListenerEvent: Sendable {
  case snapshot(ListenerSnapshot)
  /// Terminal, as `end` is (§8).
  case failure(DatabaseError)
  /// The listener was removed, or the database closed.
  case end
}

/// Place in which one listener finds the news of the result that it listens to.
///
/// The result is shared by all who listen to the same; what was told of it is each one's own.
package final class ListenerMailbox: Sendable {
  private enum Phase {
    /// Before the first result.
    case starting
    case listening(SharedResult)
    case failed(DatabaseError)
    /// Everything was told.
    case ended
  }

  private struct State {
    var phase = Phase.starting
    /// `nil` before anything was.
    var told: SharedResult.Told?
    /// When it began to listen.
    var startTime = Timestamp.minimum
    var startNumber: UInt64 = 0
    /// Called whenever there may be something to take; `nil` once the end was announced, since
    /// nobody knows how long the mailbox is held then.
    var notify: (@Sendable (ListenerMailbox) -> Void)?
  }

  let id: UInt64
  private let state: Lock<State>

  init(id: UInt64, notify: @escaping @Sendable (ListenerMailbox) -> Void) {
    self.id = id
    state = Lock(State(notify: notify))
  }

  // MARK: The feed's side

  /// Begins to listen: there is something to take, even if the result is empty.
  func begin(_ result: SharedResult, at readTime: Timestamp, _ commitNumber: UInt64) {
    let notify = state.withLock { state -> (@Sendable (ListenerMailbox) -> Void)? in
      guard case .starting = state.phase else { return nil }
      result.join()
      state.phase = .listening(result)
      state.startTime = readTime
      state.startNumber = commitNumber
      return state.notify
    }
    notify?(self)
  }

  /// Tells that the result is different.
  func announce() {
    let notify = state.withLock { $0.notify }
    notify?(self)
  }

  /// Ends the listener. What wasn't taken yet is dropped.
  func fail(_ error: DatabaseError) {
    end(as: .failed(error))
  }

  package func end() {
    end(as: .ended)
  }

  private func end(as phase: Phase) {
    let last = state.withLock { state -> State? in
      switch state.phase {
      case .starting, .listening: break
      case .failed, .ended: return nil
      }
      defer { state = State(phase: phase) }
      return state
    }
    // Documents and the closure end here, after the lock.
    if case .listening(let result)? = last?.phase { result.leave(after: last?.told) }
    last?.notify?(self)
  }

  var hasEnded: Bool {
    state.withLock { state in
      switch state.phase {
      case .starting, .listening: false
      case .failed, .ended: true
      }
    }
  }

  // MARK: The listener's side

  /// Takes the next event, or `nil` if nothing is new.
  ///
  /// - Complexity: linear in the result for the first who takes it, constant for the others that
  ///   were told the same before.
  package func take() -> ListenerEvent? {
    // Snapshots that no other listener needs are released after the lock.
    let (event, released) = state.withLock { state -> (ListenerEvent?, SharedResult.Taken?) in
      switch state.phase {
      case .starting: return (nil, nil)
      case .failed(let error):
        state.phase = .ended
        return (.failure(error), nil)
      case .ended: return (.end, nil)
      case .listening(let result):
        let taken = result.take(after: state.told)
        state.told = taken.told
        let event = taken.snapshot.map {
          ListenerEvent.snapshot($0.at(state.startTime, state.startNumber))
        }
        return (event, taken)
      }
    }
    _ = released
    return event
  }
}
