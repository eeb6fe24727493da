import Hearth
import Synchronization

/// Who is told when all listeners have been called.
final class InSyncListener: ListenerRegistration {
  private let listener: Handler<Void>
  private let removed = Mutex(false)

  init(_ listener: @escaping () -> Void) { self.listener = Handler { _ in listener() } }

  var isRemoved: Bool { removed.withLock { $0 } }

  func remove() { removed.withLock { $0 = true } }

  func call() {
    if !isRemoved { listener.call(()) }
  }
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
    listeners.add(registration)
    announceSnapshots()
    return registration
  }

  /// Has those told who wait until all listeners have been called.
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
