package import HearthDocumentModel
import HearthOrderedStore

/// The next event of a listener.
package enum ListenerEvent: Sendable {
  case snapshot(ListenerSnapshot)
  /// An error that ends the listener (§8).
  case failure(DatabaseError)
  /// The listener was removed, or the database closed.
  case end
}

/// The mailbox of one listener, which tells it the news of its result.
///
/// All listeners of equal queries share one result. Each mailbox remembers the list that its own
/// listener was told last.
package final class ListenerMailbox: Sendable {
  private enum Phase {
    /// The listener has no result yet.
    case starting
    case listening(SharedResult)
    case failed(DatabaseError)
    /// Only `end` is left to take.
    case ended
  }

  private struct State {
    var phase = Phase.starting
    /// The list that was told last; `nil` if none was.
    var told: SharedResult.Told?
    /// The read time at which it began to listen.
    var startTime = Timestamp.minimum
    var startNumber: UInt64 = 0
    /// Called whenever there may be an event to take; `nil` once the end was announced, since the
    /// mailbox may be held for long after that.
    var notify: (@Sendable (ListenerMailbox) -> Void)?
  }

  let id: UInt64
  private let state: Lock<State>

  init(id: UInt64, notify: @escaping @Sendable (ListenerMailbox) -> Void) {
    self.id = id
    state = Lock(State(notify: notify))
  }

  // MARK: The feed's side

  /// Begins to listen. There is an event to take even if the result is empty.
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

  /// Announces a changed result.
  func announce() {
    let notify = state.withLock { $0.notify }
    notify?(self)
  }

  /// Ends the listener with an error. Events that weren't taken yet are dropped.
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
    // Documents and the closure are released here, after the lock.
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

  /// Takes the next event; `nil` if there is no news.
  ///
  /// - Complexity: linear in the result for the first listener that takes it, constant for the
  ///   others that were told the same before.
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
