import Dispatch
import Synchronization

/// The way from a command, which runs on the main thread, to asynchronous calls.
enum Concurrency {
  /// Runs `body`, and waits for its end.
  static func waiting<Result: Sendable>(
    for body: @escaping @Sendable () async throws -> Result
  ) throws -> Result {
    let end = DispatchSemaphore(value: 0)
    let outcome = Mutex<Swift.Result<Result, any Error>?>(nil)
    Task {
      let result: Swift.Result<Result, any Error>
      do { result = .success(try await body()) } catch { result = .failure(error) }
      outcome.withLock { $0 = result }
      end.signal()
    }
    while true {
      end.wait()
      if let result = outcome.withLock({ $0 }) { return try result.get() }
    }
  }
}
