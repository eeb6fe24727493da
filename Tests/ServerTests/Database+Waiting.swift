import Hearth
import Synchronization
import Testing

extension Database {
  /// Starts a call, and returns it when it waits for a lock.
  func waiting(
    _ body: @escaping @Sendable () async throws -> Void
  ) async throws -> Task<Void, any Error> {
    let count = lockWaitCount
    let state = WaitState()
    let task = Task {
      defer { state.end() }
      try await body()
    }
    while lockWaitCount == count, !state.isOver { await Task.yield() }
    try #require(!state.isOver)
    return task
  }
}

/// The end of a call that is expected to wait.
final class WaitState: Sendable {
  private let over = Mutex(false)
  var isOver: Bool { over.withLock { $0 } }
  func end() { over.withLock { $0 = true } }
}
