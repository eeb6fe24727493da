import Synchronization

/// A flag that any thread can raise and lower.
final class Flag: Sendable {
  private let state = Atomic(false)

  var isRaised: Bool { state.load(ordering: .acquiring) }

  /// Raises the flag.
  ///
  /// - Returns: whether it wasn't raised before.
  @discardableResult
  func raise() -> Bool { !state.exchange(true, ordering: .acquiringAndReleasing) }

  /// Lowers the flag. The thread that lowers it sees all that a thread did before a `raise` that
  /// found the flag raised.
  func lower() { _ = state.exchange(false, ordering: .acquiringAndReleasing) }
}
