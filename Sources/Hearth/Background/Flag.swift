import Synchronization

/// Something that is so or not, to be turned by any thread.
final class Flag: Sendable {
  private let state = Atomic(false)

  var isRaised: Bool { state.load(ordering: .acquiring) }

  /// - Returns: whether it wasn't raised before.
  @discardableResult
  func raise() -> Bool { !state.exchange(true, ordering: .acquiringAndReleasing) }

  /// What was done before a `raise` that found it raised is seen by whoever lowers it then.
  func lower() { _ = state.exchange(false, ordering: .acquiringAndReleasing) }
}
