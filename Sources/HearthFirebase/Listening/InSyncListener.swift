import Hearth
import Synchronization

/// A closure that is called when all listeners have been.
final class InSyncListener: ListenerRegistration {
  /// `nil` once it is removed: what the closure holds is free then.
  private let listener: Mutex<Handler<Void>?>

  init(_ listener: @escaping () -> Void) {
    self.listener = Mutex(Handler { _ in listener() })
  }

  var isRemoved: Bool { listener.withLock { $0 == nil } }

  func remove() {
    let removed = listener.withLock { $0.take() }
    // Not under the lock: what is freed may be of the caller's, and call back.
    withExtendedLifetime(removed) {}
  }

  func call() { listener.withLock(\.self)?.call(()) }
}

extension Firestore {
  /// Calls `listener` soon, and again whenever snapshot listeners were called: behind the calls of
  /// all listeners that the changes concern. Their snapshots are then of the same commit, unless a
  /// later one has made a further call due.
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

  /// Calls those soon that wait until all listeners have been called.
  func announceSnapshots() {
    guard listeners.becomeDue() else { return }
    operations.read {
      self.listeners.beginCall()
      // A closed database has no listeners that could be behind.
      try? self.database().settleListeners()
      self.listeners.call(on: self.settingsValues.dispatchQueue)
    }
  }
}
