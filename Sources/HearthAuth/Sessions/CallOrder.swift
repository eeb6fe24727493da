import Synchronization

/// The order of calls that change the user: each begins after all earlier ones have ended.
final class CallOrder: Sendable {
  private let last = Mutex<Task<Void, Never>?>(nil)

  func start<Value: Sendable>(
    _ body: @escaping @Sendable () async -> Value
  ) -> Task<Value, Never> {
    last.withLock { last in
      let earlier = last
      let task = Task {
        await earlier?.value
        return await body()
      }
      last = Task { _ = await task.value }
      return task
    }
  }
}
