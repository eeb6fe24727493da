import Foundation
import HearthOrderedStore

/// A wait for one action of another thread.
package final class Waiting: Sendable {
  private let result = Lock<Result<Void, any Error>?>(nil)

  package init() {}

  package func end(_ result: Result<Void, any Error>) { self.result.withLock { $0 = result } }

  package var isOver: Bool { result.withLock { $0 != nil } }

  /// - Throws: the error with which the action ended.
  package func wait() throws {
    try result.withLock(when: { $0 != nil }) { $0 }?.get()
  }
}

/// Runs `body` on a new thread.
package func startThread(_ body: @escaping @Sendable () -> Void) { Thread(block: body).start() }

/// Runs `body` on `count` new threads and waits for all of them.
///
/// - Throws: the first error that one of them threw.
package func onThreads(
  _ count: Int, _ body: @escaping @Sendable (Int) throws -> Void
) throws {
  let all = (0..<count).map { _ in Waiting() }
  for (index, waiting) in all.enumerated() {
    Thread { waiting.end(Result { try body(index) }) }.start()
  }
  for waiting in all { try waiting.wait() }
}
