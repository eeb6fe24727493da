package import DocumentEngine
package import DocumentModel
import OrderedStore
package import QueryPlanning
import StorageFormat

/// The figures of a database.
package struct EngineStatistics: Sendable {
  /// The figures of the entries of one index, or of two that share entries because they differ only
  /// in direction.
  package struct Index: Sendable {
    package enum Kind: String, Sendable {
      case composite
      /// Single-field indexes.
      case field
      /// The key index.
      case names
    }

    package var kind: Kind
    /// The indexes that the entries serve.
    package var definitions: [IndexDefinition]
    package var state: IndexState
    package var isHidden: Bool
    /// The number of entries; `nil` if they weren't counted and no sums of them are kept.
    package var entryCount: Int?
    /// The number of bytes of their keys and values, before the store's compression.
    package var byteCount: Int?
    /// The approximate number of bytes on disk.
    package var diskByteCount: Int?
    /// The time from which its use is counted: its creation, or the start of counting.
    package var since: Timestamp
    /// The number of queries; `nil` if queries used more indexes than are counted, and this may be
    /// one of those that weren't.
    package var queryCount: Int?
    package var lastQueryTime: Timestamp?
    package var entryWriteCount: Int
  }

  /// The number of documents; `nil` if entries weren't counted and no sums of them are kept.
  package var documentCount: Int?
  /// The number of collections that have documents; `nil` if entries weren't counted.
  package var collectionCount: Int?
  package var commitNumber: Int
  package var lastCommitTime: Timestamp
  /// The time by which `lastCommitTime` is ahead of the clock; `nil` for a minute or less.
  package var commitTimeLead: Duration?
  /// The approximate number of bytes on disk of all keys. The latest writes may be missing.
  package var diskByteCount: Int
  /// The indexes: composites first, then fields, then names. Each kind is sorted.
  package var indexes: [Index]
  /// The time from which the use of indexes is recorded.
  package var usageStart: Timestamp
  /// The reason why the use of indexes could not be saved recently; `nil` if it was saved.
  package var usageFailure: String?
  package var caches: Caches
  package var historyMomentCount: Int
  package var historyByteCount: Int
  package var listenerCount: Int

  package struct Caches: Sendable {
    package var documentCount: Int
    package var documentByteCount: Int
    package var documentHitCount: Int
    package var documentMissCount: Int
    package var scanCount: Int
    package var scanByteCount: Int
  }
}

extension Engine {
  /// Returns the figures of the database at this moment.
  ///
  /// - Parameters:
  ///   - countsEntries: whether to count entries and documents, which reads all entries. Otherwise
  ///     their numbers come from the sums of entries, for indexes that have sums.
  ///   - progress: a closure that is called now and then with the number of entries counted.
  /// - Complexity: every index entry, if they are counted; otherwise at most one entry for each
  ///   composite index and four more, and an estimate of the store for each.
  /// - Throws: `dataLoss`; errors of the store.
  package func statistics(
    countingEntries countsEntries: Bool, _ progress: (Int) -> Void = { _ in }
  ) throws(DatabaseError) -> EngineStatistics {
    try reportingErrors {
      // Counting takes long, and holding a view would keep everything that is deleted meanwhile.
      // The cursor is enough.
      let (state, catalog, sums, cursor) = try {
        let view = try readView()
        let sums = countsEntries ? SumTable() : try SumTable.read(view.snapshot)
        return (view.state, view.catalog, sums, try view.snapshot.makeCursor())
      }()
      let census = countsEntries ? try EntryCensus(cursor, progress) : nil
      let table = UsageTable(catalog, usage, census, sums)
      let extent = historyExtent
      return EngineStatistics(
        documentCount: census?.documentCount ?? sums.entryCount(in: .names),
        collectionCount: census?.collectionCount, commitNumber: Int(clamping: state.commitNumber),
        lastCommitTime: state.lastCommitTime, commitTimeLead: commitTimeLead,
        diskByteCount: try byteCount(of: .all), indexes: try table.rows(byteCount),
        usageStart: usage.start, usageFailure: usage.failure?.message, caches: cacheStatistics,
        historyMomentCount: extent?.momentCount ?? 0, historyByteCount: extent?.byteCount ?? 0,
        listenerCount: listenerCount)
    }
  }

  /// Returns the approximate number of bytes on disk of a range of keys.
  private func byteCount(of range: KeyRange) throws -> Int {
    try store.approximateByteCount(from: range.lower, to: range.upper)
  }

  package var cacheStatistics: EngineStatistics.Caches {
    let documents = documentCacheStatistics ?? DocumentCacheStatistics()
    let scans = scanCacheStatistics
    return EngineStatistics.Caches(
      documentCount: documents.documentCount, documentByteCount: documents.byteCount,
      documentHitCount: documents.hitCount, documentMissCount: documents.missCount,
      scanCount: scans.scanCount, scanByteCount: scans.byteCount)
  }
}
