import Foundation
import OrderedStore

/// Waits for one thing that another thread does.
package final class Waiting: Sendable {
  private let result = Lock<Result<Void, any Error>?>(nil)

  package init() {}

  package func end(_ result: Result<Void, any Error>) { self.result.withLock { $0 = result } }

  package var isOver: Bool { result.withLock { $0 != nil } }

  /// - Throws: what it ended with.
  package func wait() throws {
    try result.withLock(when: { $0 != nil }) { $0 }?.get()
  }
}

/// Runs `body` on a thread of its own.
package func startThread(_ body: @escaping @Sendable () -> Void) { Thread(block: body).start() }

/// Runs `body` on `count` threads of their own and waits for all of them.
///
/// - Throws: what the first of them threw.
package func onThreads(
  _ count: Int, _ body: @escaping @Sendable (Int) throws -> Void
) throws {
  let all = (0..<count).map { _ in Waiting() }
  for (index, waiting) in all.enumerated() {
    Thread { waiting.end(Result { try body(index) }) }.start()
  }
  for waiting in all { try waiting.wait() }
}
