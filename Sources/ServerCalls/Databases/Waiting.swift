import Hearth
package import HearthDocumentModel

/// Calls that wait for more than a read of the disk: for other commits, or a sync. They take a
/// thread each, so that they don't hold up reads.
package enum Waiting {
  package static func run<Result: Sendable>(
    _ body: @escaping @Sendable () throws(DatabaseError) -> Result
  ) async throws(DatabaseError) -> Result {
    try Blocking.checkProcess()
    let outcome = await withCheckedContinuation { continuation in
      Blocking.start(.change) { continuation.resume(returning: Swift.Result(catching: body)) }
    }
    return try outcome.get()
  }
}
