import OrderedStore
import Synchronization

/// Keys with dead values that cursors have stepped over, for the next write to look at.
///
/// A cursor can't tell what a crash has left from what is queued anyway. So few are taken between
/// two writes, and none while dead values wait for views to go.
final class FoundKeys: Sendable {
  private static let capacity = 128

  private let isOpen = Atomic(true)
  private let keys = Lock<[[UInt8]]>([])

  func add(_ key: RawSpan) {
    guard isOpen.load(ordering: .relaxed) else { return }
    let copy = [UInt8](copying: key)
    keys.withLock { keys in
      if keys.count < Self.capacity { keys.append(copy) }
      if keys.count == Self.capacity { isOpen.store(false, ordering: .relaxed) }
    }
  }

  /// Hands the keys over.
  ///
  /// - Parameter accepts: whether more are taken from now on.
  func take(accepting accepts: Bool) -> [[UInt8]] {
    let found = keys.withLock { keys in
      defer { if !keys.isEmpty { keys = [] } }
      return keys
    }
    isOpen.store(accepts, ordering: .relaxed)
    return found
  }
}
