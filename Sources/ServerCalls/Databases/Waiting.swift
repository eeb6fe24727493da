import Hearth
package import HearthDocumentModel
import Synchronization

/// Calls that wait for more than a read of the disk: for other commits, for locks, or a sync. They
/// take a thread of their own each, so that they hold up neither reads nor each other.
package enum Waiting {
  private static let places = WaitingPlaces(limit: 2_000)

  /// Runs `body` on a thread that may wait, in a child of the present task. So the queries of
  /// `body` end if the present task is cancelled.
  ///
  /// - Throws: `resourceExhausted` if too many calls of the kind wait; the errors of `body`.
  package static func run<Result: Sendable>(
    _ kind: WaitingPlaces.Kind = .change,
    _ body: @escaping @Sendable () throws(DatabaseError) -> Result
  ) async throws(DatabaseError) -> Result {
    try Blocking.checkProcess()
    try places.enter(kind)
    defer { places.leave(kind) }
    let outcome = await withTaskGroup(of: Swift.Result<Result, DatabaseError>.self) { group in
      group.addTask(executorPreference: WaitingThreads.shared) { Swift.Result(catching: body) }
      return await group.next()
    }
    guard let outcome else { preconditionFailure("A task that was added has no outcome.") }
    return try outcome.get()
  }
}

/// Runs each job on a thread of its own.
private final class WaitingThreads: TaskExecutor {
  static let shared = WaitingThreads()

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    Blocking.start(.ending) { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
