package import HearthOrderedStore
package import HearthStorageFormat

/// A follower of the commits of one engine, which keeps state of its own in line with them.
package protocol CommitFollower: AnyObject, Sendable {
  /// Takes over a commit that readers can see.
  ///
  /// It is called for one commit after the other, on the thread that commits, and before the
  /// commit's callers have their answers. So it must return at once and call nothing of the engine.
  func follow(_ commit: PublishedCommit)

  /// Ends what is under way, since the engine closes. By default nothing is.
  func close()
}

extension CommitFollower {
  package func close() {}
}

/// One commit that changed something, as followers are told of it.
package struct PublishedCommit: Sendable {
  package let batch: StoreBatch
  /// The state after the commit.
  package let state: StateRecord
  /// The catalogue after the commit; `nil` if the commit left it as it was.
  package let catalog: Catalog?
}
