import OrderedStore
import Synchronization

/// Lets calls in until it is closed; whoever closes it waits for those inside.
///
/// Going in and out costs two atomic additions, so that reads need no lock.
final class CallGate: Sendable {
  private static let closedBit = Int.min

  /// How many calls are inside, and the closed bit.
  private let state = Atomic(0)
  private let isEmptyForGood = Lock(false)

  var isClosed: Bool { state.load(ordering: .acquiring) < 0 }

  /// Counts a call in. Whoever got `true` calls `leave()`.
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

  /// Lets no further call in and returns when the last has left.
  func closeAndWait() {
    let before = state.bitwiseOr(Self.closedBit, ordering: .acquiringAndReleasing).oldValue
    if before == 0 || before == Self.closedBit { return }
    isEmptyForGood.withLock(when: { $0 }) { _ in }
  }
}
