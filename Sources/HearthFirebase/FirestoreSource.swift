// What Firebase's calls ask for and tell because of its cache. There is one database here, so that
// every choice reads it, and nothing is ever pending.

/// Source of a read. Every case reads the database.
public enum FirestoreSource: Sendable, Hashable {
  /// The database.
  case `default`
  /// The database: there is no server.
  case server
  /// The database: there is no cache.
  case cache
}

/// Stand-in for a server timestamp that the server hasn't set yet. There is no such time: a
/// write is seen when its timestamp is set.
public enum ServerTimestampBehavior: Sendable, Hashable {
  /// The time of the commit.
  case none
  /// The time of the commit.
  case estimate
  /// The time of the commit.
  case previous
}

/// Origin of a snapshot: always from the database, with nothing pending.
public struct SnapshotMetadata: Sendable, Hashable {
  /// `false`: a snapshot has committed writes only.
  public var hasPendingWrites: Bool { false }
  /// `false`: there is no cache.
  public var isFromCache: Bool { false }
}
