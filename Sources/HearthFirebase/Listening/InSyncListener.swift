import Hearth
import Synchronization

/// A closure that is called after all listeners have been called.
final class InSyncListener: ListenerRegistration {
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

extension Firestore {
  /// Calls `listener` soon, and again each time snapshot listeners were called: after the calls of
  /// all listeners that the changes concern. The listeners' snapshots are then of the same commit,
  /// unless a later commit has made another call due.
  @discardableResult
  public func addSnapshotsInSyncListener(
    _ listener: @escaping () -> Void
  ) -> any ListenerRegistration {
    let registration = InSyncListener(listener)
    guard refusal == nil else { return registration }
    listeners.add(registration)
    announceSnapshots()
    return registration
  }

  /// Soon calls the listeners that wait until all snapshot listeners have been called.
  func announceSnapshots() {
    guard listeners.becomeDue() else { return }
    operations.read {
      self.listeners.beginCall()
      // A closed database has no listeners that could lag.
      try? self.database().settleListeners()
      self.listeners.call(on: self.settingsValues.dispatchQueue)
    }
  }
}
