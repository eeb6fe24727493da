// Choices and information that Firebase's calls have because of its cache. Here there is only the
// database: every choice reads it, and nothing is ever pending.

/// Source of a read. Every case reads the database.
public enum FirestoreSource: Sendable, Hashable {
  /// The database.
  case `default`
  /// The database: there is no server.
  case server
  /// The database: there is no cache.
  case cache
}

/// Stand-in for a server timestamp that the server hasn't set yet. There is never such a timestamp:
/// a write becomes visible with its timestamp set.
public enum ServerTimestampBehavior: Sendable, Hashable {
  /// The time of the commit.
  case none
  /// The time of the commit.
  case estimate
  /// The time of the commit.
  case previous
}

/// Origin of a snapshot: always the database, with nothing pending.
public struct SnapshotMetadata: Sendable, Hashable {
  /// Always `false`: a snapshot has only committed writes.
  public var hasPendingWrites: Bool { false }
  /// Always `false`: there is no cache.
  public var isFromCache: Bool { false }
}
