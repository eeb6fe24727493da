import HearthOrderedStore
import Synchronization

/// Keys with dead values that cursors have stepped over. The next write looks at them.
///
/// A cursor can't tell keys that a crash has left from keys that are in the queue anyway. So only a
/// few are taken between two writes, and a key that cursors meet repeatedly is taken once.
final class FoundKeys: Sendable {
  private static let capacity = 128

  private let isOpen = Atomic(true)
  private let keys = Lock<[[UInt8]]>([])

  func add(_ key: RawSpan) {
    guard isOpen.load(ordering: .relaxed) else { return }
    let copy = [UInt8](copying: key)
    keys.withLock { keys in
      if keys.count < Self.capacity, keys.last != copy { keys.append(copy) }
      if keys.count == Self.capacity { isOpen.store(false, ordering: .relaxed) }
    }
  }

  /// Hands the keys over, and takes others from now on.
  func take() -> [[UInt8]] {
    let found = keys.withLock { keys in
      defer { if !keys.isEmpty { keys = [] } }
      return keys
    }
    isOpen.store(true, ordering: .relaxed)
    return found
  }
}
