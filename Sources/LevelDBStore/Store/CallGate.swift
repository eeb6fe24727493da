import HearthOrderedStore
import Synchronization

/// A gate that lets calls in until it is closed. Closing it waits for the calls inside.
///
/// Entering and leaving cost two atomic additions, so reads need no lock.
final class CallGate: Sendable {
  private static let closedBit = Int.min

  /// Number of calls inside, and the closed bit.
  private let state = Atomic(0)
  private let isEmptyForGood = Lock(false)

  var isClosed: Bool { state.load(ordering: .acquiring) < 0 }

  /// Counts a call in. A caller that gets `true` must call `leave()`.
  func enter() -> Bool {
    if state.add(1, ordering: .acquiring).oldValue >= 0 { return true }
    leave()
    return false
  }

  func leave() {
    if state.subtract(1, ordering: .acquiringAndReleasing).newValue == Self.closedBit {
      isEmptyForGood.withLock { $0 = true }
    }
  }

  /// Lets no further call in, and returns when the last one has left.
  func closeAndWait() {
    let before = state.bitwiseOr(Self.closedBit, ordering: .acquiringAndReleasing).oldValue
    if before == 0 || before == Self.closedBit { return }
    isEmptyForGood.withLock(when: { $0 }) { _ in }
  }
}
