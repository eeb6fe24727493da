package import DocumentModel
import OrderedStore
package import QueryPlanning
import StorageFormat

/// A database in figures.
package struct EngineStatistics: Sendable {
  /// The entries that one index has, or that two have in common which differ in direction alone.
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
    /// `nil` where entries weren't counted and no sums of them are kept.
    package var entryCount: Int?
    /// The bytes of their keys and values, as they would be without the store's compression.
    package var byteCount: Int?
    /// About the bytes on disk.
    package var diskByteCount: Int?
    /// Since when its use is counted: its creation, or when counting began.
    package var since: Timestamp
    /// `nil` where queries used more indexes than are counted, and this may be one of the others.
    package var queryCount: Int?
    package var lastQueryTime: Timestamp?
    package var entryWriteCount: Int
  }

  /// `nil` where entries weren't counted and no sums of them are kept.
  package var documentCount: Int?
  /// Collections that have documents.
  package var collectionCount: Int?
  package var commitNumber: Int
  package var lastCommitTime: Timestamp
  /// Time by which that is ahead of the clock, if it is more than a minute.
  package var commitTimeLead: Duration?
  /// About the bytes on disk of all keys; what was written last may be missing.
  package var diskByteCount: Int
  /// Composites first, then fields, then names; each kind sorted.
  package var indexes: [Index]
  /// Since when the use of indexes is recorded.
  package var usageStart: Timestamp
  /// Why it could not be saved lately; `nil` if it could.
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
  /// The database in figures, as it is at this moment.
  ///
  /// - Parameters:
  ///   - countsEntries: whether entries and documents are counted, which reads all entries.
  ///     Without, they are told where sums of entries are kept, which have their number.
  ///   - progress: is told the number of entries counted, now and then.
  /// - Complexity: every index entry, if they are counted; otherwise one entry for each composite
  ///   index and four more, at most, and an estimate of the store for each.
  /// - Throws: `dataLoss`, or what the store reports.
  package func statistics(
    countingEntries countsEntries: Bool, _ progress: (Int) -> Void = { _ in }
  ) throws(DatabaseError) -> EngineStatistics {
    try reportingErrors {
      // Counting takes long, and a view that is held keeps what is deleted: the cursor is enough.
      let (state, catalog, sums, cursor) = try {
        let view = try readView()
        let sums = countsEntries ? SumTable() : try SumTable.read(view.snapshot)
        return (view.state, view.catalog, sums, try view.snapshot.makeCursor())
      }()
      let census = countsEntries ? try EntryCensus(cursor, progress) : nil
      let table = UsageTable(catalog, usage, census, sums)
      let extent = history?.extent
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

  /// About the bytes on disk of a range of keys.
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
