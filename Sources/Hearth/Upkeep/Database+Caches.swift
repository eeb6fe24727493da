import DocumentEngine
import EngineUpkeep

/// Contents of a database's caches, and the number of reads that they spared.
public struct CacheStatistics: Sendable, Equatable {
  /// Number of documents kept.
  public let documentCount: Int
  /// Approximate number of bytes that the documents take, at most
  /// ``Database/Options/documentCacheByteCount``.
  public let documentByteCount: Int
  /// Number of documents found in memory since the database was opened.
  public let documentHitCount: Int
  /// Number of documents not found in memory and read from the files.
  public let documentMissCount: Int
  /// Number of index scans kept.
  public let scanCount: Int
  /// Approximate number of bytes that the scans take, at most
  /// ``Database/Options/scanCacheByteCount``.
  public let scanByteCount: Int

  /// Share of the documents looked for that were found in memory; `nil` before the first.
  public var documentHitRate: Double? {
    let total = documentHitCount + documentMissCount
    return total > 0 ? Double(documentHitCount) / Double(total) : nil
  }
}

extension Database {
  /// Present contents of the caches, and the number of times they were of use. They are counted at
  /// each call.
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
