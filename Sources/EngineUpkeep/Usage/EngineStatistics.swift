package import HearthDocumentEngine
package import HearthDocumentModel
import HearthOrderedStore
package import HearthReports
import HearthStorageFormat

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
  ) throws(DatabaseError) -> DatabaseStatistics {
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
      var statistics = DatabaseStatistics(
        commitCount: Int(clamping: state.commitNumber), lastCommitTime: state.lastCommitTime,
        usageStart: usage.start)
      statistics.documentCount = census?.documentCount ?? sums.entryCount(in: .names)
      statistics.collectionCount = census?.collectionCount
      statistics.commitTimeLeadMicroseconds = commitTimeLead.map { Int($0 / .microseconds(1)) }
      statistics.diskByteCount = try byteCount(of: .all)
      statistics.indexes = try table.rows(byteCount)
      statistics.usageFailure = usage.failure?.message
      statistics.caches = cacheStatistics
      statistics.historyMomentCount = extent?.momentCount ?? 0
      statistics.historyByteCount = extent?.byteCount ?? 0
      statistics.listenerCount = listenerCount
      statistics.keepsSums = catalog.tunings.keepsSums
      return statistics
    }
  }

  /// Returns the approximate number of bytes on disk of a range of keys.
  private func byteCount(of range: KeyRange) throws -> Int {
    try store.approximateByteCount(from: range.lower, to: range.upper)
  }

  package var cacheStatistics: CacheStatistics {
    let documents = documentCacheStatistics ?? DocumentCacheStatistics()
    let scans = scanCacheStatistics
    var statistics = CacheStatistics()
    statistics.documentCount = documents.documentCount
    statistics.documentByteCount = documents.byteCount
    statistics.documentHitCount = documents.hitCount
    statistics.documentMissCount = documents.missCount
    statistics.scanCount = scans.scanCount
    statistics.scanByteCount = scans.byteCount + scans.resultByteCount
    return statistics
  }
}
