public import Foundation

// Firebase's settings of the copy that it keeps of a server's data. Here the database is the data:
// the settings are accepted, and nothing is ever dropped.

// swift-format-ignore: AlwaysUseLowerCamelCase
/// A cache without a limit, for ``FirestoreSettings/cacheSizeBytes``.
public let FirestoreCacheSizeUnlimited: Int64 = -1

/// Kind of cache that ``FirestoreSettings/cacheSettings`` asks for.
public protocol LocalCacheSettings: Sendable {}

/// A cache on the disk, which Firebase has by default.
public final class PersistentCacheSettings: LocalCacheSettings, Hashable {
  /// Ignored: data is never dropped.
  public let sizeBytes: Int64

  /// A cache of 100 MiB.
  public convenience init() { self.init(sizeBytes: NSNumber(value: 100 << 20)) }

  /// A cache of some bytes, or ``FirestoreCacheSizeUnlimited``.
  public init(sizeBytes: NSNumber) { self.sizeBytes = sizeBytes.int64Value }

  public static func == (left: PersistentCacheSettings, right: PersistentCacheSettings) -> Bool {
    left.sizeBytes == right.sizeBytes
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(sizeBytes) }
}

/// A cache in memory. A database in memory is opened as one: `Database.inMemory()`.
public final class MemoryCacheSettings: LocalCacheSettings {
  /// Ignored: data is never dropped.
  public let garbageCollectorSettings: any MemoryGarbageCollectorSettings

  /// A cache that drops what nobody listens to.
  public convenience init() { self.init(garbageCollectorSettings: MemoryEagerGCSetting()) }

  /// A cache that drops documents as the settings say.
  public init(garbageCollectorSettings: any MemoryGarbageCollectorSettings) {
    self.garbageCollectorSettings = garbageCollectorSettings
  }
}

/// Choice of the documents that a cache in memory drops: here none.
public protocol MemoryGarbageCollectorSettings: Sendable {}

/// Documents would be dropped once nobody listens to them. Here they stay until they are deleted.
public final class MemoryEagerGCSetting: MemoryGarbageCollectorSettings {
  /// The only setting.
  public init() {}
}

/// Documents would be dropped that were not read for the longest time. Here they stay until they
/// are deleted.
public final class MemoryLRUGCSettings: MemoryGarbageCollectorSettings {
  /// Ignored: data is never dropped.
  public let sizeBytes: Int64

  /// Above 100 MiB.
  public convenience init() { self.init(sizeBytes: NSNumber(value: 100 << 20)) }

  /// Above some bytes.
  public init(sizeBytes: NSNumber) { self.sizeBytes = sizeBytes.int64Value }
}
