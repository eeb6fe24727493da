import DocumentEngine

/// What a database keeps in memory, and how often that spared it a read.
public struct CacheStatistics: Sendable, Equatable {
  /// Documents that are kept.
  public let documentCount: Int
  /// About the bytes that they take, at most ``Database/Options/documentCacheByteCount``.
  public let documentByteCount: Int
  /// Documents that were found in memory since the database was opened.
  public let documentHitCount: Int
  /// Documents that were looked for in memory and then read from the files.
  public let documentMissCount: Int
  /// Index scans that are kept.
  public let scanCount: Int
  /// About the bytes that they take, at most ``Database/Options/scanCacheByteCount``.
  public let scanByteCount: Int

  /// The share of the documents looked for that were found; `nil` before the first.
  public var documentHitRate: Double? {
    let total = documentHitCount + documentMissCount
    return total > 0 ? Double(documentHitCount) / Double(total) : nil
  }
}

extension Database {
  /// What the caches hold just now, and how often they were of use. It is counted at each call.
  public var cacheStatistics: CacheStatistics {
    CacheStatistics(engine.cacheStatistics)
  }
}

extension CacheStatistics {
  init(_ caches: EngineStatistics.Caches) {
    documentCount = caches.documentCount
    documentByteCount = caches.documentByteCount
    documentHitCount = caches.documentHitCount
    documentMissCount = caches.documentMissCount
    scanCount = caches.scanCount
    scanByteCount = caches.scanByteCount
  }
}
