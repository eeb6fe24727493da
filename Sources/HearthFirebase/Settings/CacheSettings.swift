public import Foundation

// Firebase's settings of its local copy of a server's data. Here the database is the data: the
// settings are accepted, and nothing is ever dropped.

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The size of a cache without a limit, for ``FirestoreSettings/cacheSizeBytes``.
public let FirestoreCacheSizeUnlimited: Int64 = -1

/// Kind of cache for ``FirestoreSettings/cacheSettings``.
public protocol LocalCacheSettings: Sendable {}

/// A cache on disk, which is Firebase's default.
public final class PersistentCacheSettings: LocalCacheSettings, Hashable {
  /// Ignored: data is never dropped.
  public let sizeBytes: Int64

  /// Creates the settings of a cache of 100 MiB.
  public convenience init() { self.init(sizeBytes: NSNumber(value: 100 << 20)) }

  /// Creates the settings of a cache of a number of bytes, or ``FirestoreCacheSizeUnlimited``.
  public init(sizeBytes: NSNumber) { self.sizeBytes = sizeBytes.int64Value }

  public static func == (left: PersistentCacheSettings, right: PersistentCacheSettings) -> Bool {
    left.sizeBytes == right.sizeBytes
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(sizeBytes) }
}

/// A cache in memory. A database in memory is opened with `Database.inMemory()` instead.
public final class MemoryCacheSettings: LocalCacheSettings {
  /// Ignored: data is never dropped.
  public let garbageCollectorSettings: any MemoryGarbageCollectorSettings

  /// Creates the settings of a cache that drops documents without listeners.
  public convenience init() { self.init(garbageCollectorSettings: MemoryEagerGCSetting()) }

  /// Creates the settings of a cache that drops documents according to the given settings.
  public init(garbageCollectorSettings: any MemoryGarbageCollectorSettings) {
    self.garbageCollectorSettings = garbageCollectorSettings
  }
}

/// Choice of the documents that a cache in memory drops; here it drops none.
public protocol MemoryGarbageCollectorSettings: Sendable {}

/// Settings to drop documents once they have no listeners. Here documents stay until they are
/// deleted.
public final class MemoryEagerGCSetting: MemoryGarbageCollectorSettings {
  /// Creates the settings.
  public init() {}
}

/// Settings to drop the documents that were not read for the longest time. Here documents stay
/// until they are deleted.
public final class MemoryLRUGCSettings: MemoryGarbageCollectorSettings {
  /// Ignored: data is never dropped.
  public let sizeBytes: Int64

  /// Creates settings to drop documents above 100 MiB.
  public convenience init() { self.init(sizeBytes: NSNumber(value: 100 << 20)) }

  /// Creates settings to drop documents above a number of bytes.
  public init(sizeBytes: NSNumber) { self.sizeBytes = sizeBytes.int64Value }
}
