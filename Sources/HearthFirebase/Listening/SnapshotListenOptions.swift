/// Options of a listener. There is one source here, and metadata never changes, so with all options
/// it listens to the database.
public final class SnapshotListenOptions: Sendable {
  /// The requested source. Both sources are the database.
  public let source: ListenSource
  /// Whether snapshots that differ only in their metadata were requested. There are none.
  public let includeMetadataChanges: Bool

  private init(source: ListenSource, includeMetadataChanges: Bool) {
    self.source = source
    self.includeMetadataChanges = includeMetadataChanges
  }

  /// Creates options with the default source, and without changes of metadata.
  public convenience init() { self.init(source: .default, includeMetadataChanges: false) }

  /// Returns the options with another choice about metadata.
  public func withIncludeMetadataChanges(_ includeMetadataChanges: Bool) -> SnapshotListenOptions {
    SnapshotListenOptions(source: source, includeMetadataChanges: includeMetadataChanges)
  }

  /// Returns the options with another source.
  public func withSource(_ source: ListenSource) -> SnapshotListenOptions {
    SnapshotListenOptions(source: source, includeMetadataChanges: includeMetadataChanges)
  }
}

extension SnapshotListenOptions: Hashable {
  public static func == (left: SnapshotListenOptions, right: SnapshotListenOptions) -> Bool {
    left.source == right.source && left.includeMetadataChanges == right.includeMetadataChanges
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(source)
    hasher.combine(includeMetadataChanges)
  }
}

/// Source of a listener. Every case listens to the database, whose snapshots are never from a
/// cache.
public enum ListenSource: Sendable, Hashable {
  /// The database.
  case `default`
  /// The database: there is no cache.
  case cache
}

extension Query {
  /// Does the same as without the options: there is one source, and metadata never changes.
  @discardableResult
  public func addSnapshotListener(
    options: SnapshotListenOptions,
    listener: @escaping (QuerySnapshot?, (any Error)?) -> Void
  ) -> any ListenerRegistration {
    addSnapshotListener(listener)
  }
}

extension DocumentReference {
  /// Does the same as without the options: there is one source, and metadata never changes.
  @discardableResult
  public func addSnapshotListener(
    options: SnapshotListenOptions,
    listener: @escaping (DocumentSnapshot?, (any Error)?) -> Void
  ) -> any ListenerRegistration {
    addSnapshotListener(listener)
  }
}
