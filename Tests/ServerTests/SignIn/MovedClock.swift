import Synchronization

/// A clock that a test moves on.
final class MovedClock: Sendable {
  private let milliseconds = Mutex(Int64(1_800_000_000_123))

  @Sendable func now() -> Int64 { milliseconds.withLock { $0 } }

  func move(seconds: Double) { milliseconds.withLock { $0 += Int64(seconds * 1000) } }
}
