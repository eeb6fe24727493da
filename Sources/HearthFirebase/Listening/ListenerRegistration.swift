import Dispatch
import Hearth
import Synchronization

/// The registration of a listener, which can stop it. It listens until it is removed, an error ends
/// it or the database is closed, even if the registration is released.
public protocol ListenerRegistration: AnyObject, Sendable {
  /// Ends the listener. If it is called on the listener's queue, no call of the closure begins
  /// after it returns. It may be called again, and from inside the closure.
  func remove()
}

/// A listener that begins when all earlier writes have ended.
final class OrderedListener: ListenerRegistration {
  private enum State {
    case waiting
    /// The closure ends the listener.
    case listening(@Sendable () -> Void)
    case removed
  }

  private let state = Mutex(State.waiting)

  /// Starts listening, unless the listener was removed before.
  func start(_ start: () throws -> @Sendable () -> Void) throws {
    // Under the lock: a removal meanwhile waits for the registration that it has to remove.
    try state.withLock { state in
      guard case .waiting = state else { return }
      state = .listening(try start())
    }
  }

  var isRemoved: Bool {
    state.withLock { state in
      if case .removed = state { true } else { false }
    }
  }

  func remove() {
    let end = state.withLock { state -> (@Sendable () -> Void)? in
      defer { state = .removed }
      guard case .listening(let end) = state else { return nil }
      return end
    }
    end?()
  }
}

extension Firestore {
  /// Starts a listener after all earlier writes.
  ///
  /// - Parameters:
  ///   - start: makes Hearth's listener, which calls its closure on a queue. It returns the closure
  ///     that ends the listener.
  ///   - snapshot: makes Firebase's snapshot from Hearth's.
  ///   - listener: the caller's closure.
  func listen<Stored: Sendable, Snapshot: Sendable>(
    _ start:
      @escaping @Sendable (
        any DatabaseRequests, DispatchQueue, @escaping @Sendable () -> Void,
        @escaping @Sendable (Result<Stored, DatabaseError>) -> Void
      ) throws -> @Sendable () -> Void,
    _ snapshot: @escaping @Sendable (Stored) -> Snapshot,
    _ listener: @escaping (Snapshot?, (any Error)?) -> Void
  ) -> any ListenerRegistration {
    let registration = OrderedListener()
    if let refusal {
      listener(nil, refusal)
      return registration
    }
    let handler = Handler(listener)
    let (queue, requests) = (settingsValues.dispatchQueue, requests)
    let tell = { @Sendable (result: Result<Snapshot, any Error>) in
      guard !registration.isRemoved else { return }
      handler.call(result)
      self.announceSnapshots()
    }
    operations.read {
      let relay = SnapshotRelay(self.listeners)
      let hold = self.operations.hold()
      let started = self.outcome {
        try relay.begin {
          try registration.start {
            try start(requests, relay.queue, { hold.release() }) { result in
              let result = self.outcome { snapshot(try result.get()) }
              relay.hand(to: queue) { tell(result) }
            }
          }
          try self.database().settleListeners()
        }
      }
      if case .failure(let error) = started { queue.async { tell(.failure(error)) } }
    }
    return registration
  }
}
