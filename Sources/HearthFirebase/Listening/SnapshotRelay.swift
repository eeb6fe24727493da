import Dispatch
import Hearth
import Synchronization

/// The path of one listener's snapshots from Hearth to the queue that the caller chose.
///
/// The first snapshot is taken before any write that follows the listener, even if the caller's
/// queue is busy: a listener and a write in the same turn of the main queue give two snapshots. A
/// later snapshot is taken after the one before was handed over. So nothing piles up here: all
/// changes meanwhile are in one snapshot.
final class SnapshotRelay: Sendable {
  /// Queue of Hearth's listener. It is suspended while a later snapshot is on its way.
  let queue = DispatchQueue(label: "hearth.firebase.relay", attributes: .initiallyInactive)
  private let roster: ListenerRoster
  private let hasFirst = Mutex(false)

  init(_ roster: ListenerRoster) {
    self.roster = roster
    roster.add(self)
  }

  deinit { roster.remove(ObjectIdentifier(self)) }

  /// Waits until the first snapshot is taken, if there is one.
  ///
  /// - Parameter start: brings the listener to the latest commit.
  func begin(_ start: () throws -> Void) rethrows {
    let isTaken = DispatchSemaphore(value: 0)
    defer {
      // After the first call at most: each call asks for the next one.
      queue.async { isTaken.signal() }
      queue.activate()
      isTaken.wait()
    }
    try start()
  }

  /// Hands over a call of Hearth's listener, on whose queue this is called.
  func hand(to callerQueue: DispatchQueue, _ call: @escaping @Sendable () -> Void) {
    let isFirst = hasFirst.withLock { hasFirst in
      defer { hasFirst = true }
      return !hasFirst
    }
    if !isFirst { queue.suspend() }
    callerQueue.async {
      call()
      if !isFirst { self.queue.resume() }
    }
  }
}

/// The listeners of a ``Firestore``, and the closures to call when all of them have been called.
final class ListenerRoster: Sendable {
  private struct WeakRelay {
    weak var relay: SnapshotRelay?
  }

  private struct State {
    var relays: [ObjectIdentifier: WeakRelay] = [:]
    var inSync: [InSyncListener] = []
    /// Whether the closures in `inSync` are about to be called.
    var isDue = false
  }

  private let state = Mutex(State())

  func add(_ relay: SnapshotRelay) {
    state.withLock { $0.relays[ObjectIdentifier(relay)] = WeakRelay(relay: relay) }
  }

  func remove(_ id: ObjectIdentifier) {
    state.withLock { $0.relays[id] = nil }
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
    let (relays, listeners) = state.withLock { state in
      (state.relays.values.compactMap(\.relay), state.inSync)
    }
    let group = DispatchGroup()
    for relay in relays { relay.queue.async(group: group) {} }
    group.notify(queue: callerQueue) {
      for listener in listeners { listener.call() }
    }
  }

  /// Begins a call of the closures, before the listeners are brought to the latest commit: it may
  /// miss later commits.
  func beginCall() { state.withLock { $0.isDue = false } }
}
