/// The indexes of Firebase's cache, which never change the results of a query, only its speed on a
/// device.
///
/// There is no cache here, so every call is accepted and changes nothing. The database's own
/// indexes, which decide which queries can run, are created and dropped by name:
/// `Database.indexes`, or `hearth index`.
public final class PersistentCacheIndexManager: Sendable {
  init() {}

  /// Changes nothing: every field has an index from the start.
  public func enableIndexAutoCreation() {}

  /// Changes nothing: no index is created for a query that lacks one. Such a query is refused, as
  /// in production.
  public func disableIndexAutoCreation() {}

  /// Changes nothing: the cache has no indexes, and the database's own are dropped by name.
  public func deleteAllIndexes() {}
}

extension PersistentCacheIndexManager: Hashable {
  /// Whether both belong to the same ``Firestore``.
  public static func == (
    left: PersistentCacheIndexManager, right: PersistentCacheIndexManager
  ) -> Bool {
    left === right
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
