import Dispatch
import Hearth
import HearthFirebase

extension Firestore {
  /// Creates a database in memory, whose handlers are called on a queue of its own.
  static func inMemory() throws -> Firestore {
    let firestore = Firestore(try Database.inMemory())
    let settings = FirestoreSettings()
    settings.dispatchQueue = DispatchQueue(label: "handlers")
    firestore.settings = settings
    return firestore
  }
}

/// Waits for the error, or the lack of one, that a call completes with.
nonisolated(nonsending) func completion(
  of call: (@escaping ((any Error)?) -> Void) throws -> Void
) async rethrows -> (any Error)? {
  let (stream, continuation) = AsyncStream.makeStream(of: (any Error)?.self)
  try call { error in
    continuation.yield(error)
    continuation.finish()
  }
  for await error in stream { return error }
  return nil
}

/// Makes calls in a context without `await`, so that they are the forms with a handler.
func withoutWaiting<Output>(_ calls: () -> Output) -> Output { calls() }
