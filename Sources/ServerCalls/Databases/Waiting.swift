package import Hearth
package import HearthDocumentModel

/// Calls that wait for more than a read of the disk: for other commits, or a sync. They take a
/// thread each, so that they don't hold up reads.
package enum Waiting {
  /// - Parameter kind: the kind of the call; `ending` for one for which others wait.
  package static func run<Result: Sendable>(
    _ kind: Blocking.Kind = .change,
    _ body: @escaping @Sendable () throws(DatabaseError) -> Result
  ) async throws(DatabaseError) -> Result {
    try Blocking.checkProcess()
    let outcome = await withCheckedContinuation { continuation in
      Blocking.start(kind) { continuation.resume(returning: Swift.Result(catching: body)) }
    }
    return try outcome.get()
  }
}
