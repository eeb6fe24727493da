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
    roster.add(queue, of: ObjectIdentifier(self))
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
