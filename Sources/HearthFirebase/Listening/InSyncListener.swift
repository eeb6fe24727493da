import Hearth

extension InSyncListener: ListenerRegistration {}

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
