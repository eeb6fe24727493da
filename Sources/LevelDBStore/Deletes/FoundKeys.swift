import OrderedStore
import Synchronization

/// Keys with dead values that cursors have stepped over. The next write looks at them.
///
/// A cursor can't tell a key that a crash has left from a key that is queued anyway. So only a few
/// are taken between two writes, and none while dead values wait for views to be released.
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

  /// Returns the keys and removes them.
  ///
  /// - Parameter accepts: whether more keys are taken from now on.
  func take(accepting accepts: Bool) -> [[UInt8]] {
    let found = keys.withLock { keys in
      defer { if !keys.isEmpty { keys = [] } }
      return keys
    }
    isOpen.store(accepts, ordering: .relaxed)
    return found
  }
}
