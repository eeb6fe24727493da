import Hearth

// Firebase's calls for its network and its cache. Each ends after all earlier calls, like the other
// calls.

extension Firestore {
  /// Changes nothing: there is no network to connect to.
  public func enableNetwork(completion: (((any Error)?) -> Void)? = nil) {
    afterEarlierCalls(completion)
  }

  /// Does the same asynchronously; no handler is called.
  public func enableNetwork() async throws { try await read {} }

  /// Changes nothing: no network is used. Reads and writes go on as before, and a write that
  /// completes is on disk. No call waits for ``enableNetwork(completion:)``.
  public func disableNetwork(completion: (((any Error)?) -> Void)? = nil) {
    afterEarlierCalls(completion)
  }

  /// Does the same asynchronously; no handler is called.
  public func disableNetwork() async throws { try await read {} }

  private func afterEarlierCalls(_ completion: (((any Error)?) -> Void)?) {
    read({}) { _, _ in completion?(nil) }
  }

  /// Always fails with `failedPrecondition`, and deletes nothing: Firebase clears a copy of a
  /// server's data, but this database is the only copy. To delete the data, close the database and
  /// delete its folder.
  public func clearPersistence(completion: (((any Error)?) -> Void)? = nil) {
    write({ throw Firestore.onlyCopy }, completion: completion)
  }

  /// Does the same asynchronously; no handler is called.
  public func clearPersistence() async throws { try await write { throw Firestore.onlyCopy } }

  private static let onlyCopy = DatabaseError(
    .failedPrecondition,
    "There is no cache to clear: this database is the only copy of its data. To delete all of it, "
      + "close the database and delete its folder.")
}
