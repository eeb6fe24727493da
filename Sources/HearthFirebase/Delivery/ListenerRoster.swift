import Dispatch
import Synchronization

/// The listeners of a ``Firestore``, and the closures to call when all of them have been called.
final class ListenerRoster: Sendable {
  private struct State {
    /// Queues of the snapshot listeners' relays.
    var queues: [ObjectIdentifier: DispatchQueue] = [:]
    var inSync: [InSyncListener] = []
    /// Whether the closures in `inSync` are about to be called.
    var isDue = false
  }

  private let state = Mutex(State())

  func add(_ queue: DispatchQueue, of relay: ObjectIdentifier) {
    state.withLock { $0.queues[relay] = queue }
  }

  func remove(_ relay: ObjectIdentifier) {
    state.withLock { $0.queues[relay] = nil }
  }

  func add(_ listener: InSyncListener) {
    state.withLock { state in
      state.inSync.removeAll(where: \.isRemoved)
      state.inSync.append(listener)
    }
  }

  /// Marks the closures as due.
  ///
  /// - Returns: whether there are such closures, and no call of them is due yet.
  func becomeDue() -> Bool {
    state.withLock { state in
      guard !state.isDue, state.inSync.contains(where: { !$0.isRemoved }) else { return false }
      state.isDue = true
      return true
    }
  }

  /// Calls the closures on their queue, after all snapshots taken so far.
  func call(on callerQueue: DispatchQueue) {
    let (queues, closures) = state.withLock { (Array($0.queues.values), $0.inSync) }
    let group = DispatchGroup()
    for queue in queues { queue.async(group: group) {} }
    group.notify(queue: callerQueue) {
      for closure in closures { closure.call() }
    }
  }

  /// Begins a call of the closures, before the listeners are brought to the latest commit: it may
  /// miss later commits.
  func beginCall() { state.withLock { $0.isDue = false } }
}

/// A closure that is called after all listeners have been called.
final class InSyncListener: Sendable {
  /// The closure; `nil` once the listener is removed, so that objects that the closure holds are
  /// freed.
  private let listener: Mutex<Handler<Void>?>

  init(_ listener: @escaping () -> Void) {
    self.listener = Mutex(Handler { _ in listener() })
  }

  var isRemoved: Bool { listener.withLock { $0 == nil } }

  func remove() {
    let removed = listener.withLock { $0.take() }
    // Not under the lock: the freed objects may be the caller's, and call back.
    withExtendedLifetime(removed) {}
  }

  func call() { listener.withLock(\.self)?.call(()) }
}
