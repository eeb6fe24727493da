import HearthDocumentModel
import HearthOrderedStore

/// Work that another thread does if it comes in time, and otherwise the caller.
///
/// The caller never waits for a thread that hasn't begun the work, so it never waits in vain.
package final class SideWork<Output: Sendable>: Sendable {
  fileprivate enum Progress: Sendable {
    case open(@Sendable () throws -> Output)
    case begun
    case ended(Result<Output, any Error>)
    case dropped
  }

  private let progress: Lock<Progress>

  package init(_ body: @escaping @Sendable () throws -> Output) {
    progress = Lock(.open(body))
  }

  /// Does the work, unless it was begun or dropped.
  package func run() {
    let body = progress.withLock { progress -> (@Sendable () throws -> Output)? in
      guard case .open(let body) = progress else { return nil }
      progress = .begun
      return body
    }
    guard let body else { return }
    let outcome = Result { try body() }
    progress.withLock { $0 = .ended(outcome) }
  }

  /// Returns the outcome of the work, which the caller does if no other thread has begun it.
  ///
  /// - Throws: the error of the work.
  package func output() throws -> Output {
    run()
    // A thread that comes later keeps this object, and should keep nothing else.
    let outcome = progress.withLock(when: { !$0.isRunning }) { progress in
      defer { progress = .dropped }
      return progress.outcome
    }
    guard let outcome else { throw DatabaseError(.internal, "Work was dropped.") }
    return try outcome.get()
  }

  /// Gives the work up. If it was begun, waits until it has ended.
  package func drop() {
    progress.withLock(when: { !$0.isRunning }) { $0 = .dropped }
  }
}

extension SideWork.Progress {
  fileprivate var isRunning: Bool { if case .begun = self { true } else { false } }

  fileprivate var outcome: Result<Output, any Error>? {
    if case .ended(let outcome) = self { outcome } else { nil }
  }
}
