import HearthDocumentEngine
public import HearthDocumentModel
import HearthEngineUpkeep
public import HearthReports

extension Database {
  /// Returns figures about the database at this moment.
  ///
  /// ```swift
  /// let statistics = try database.statistics()
  /// for index in statistics.indexes where index.isUnused(since: aWeekAgo) {
  ///   print(index.definitions[0], index.diskByteCount ?? 0, index.entryWriteCount)
  /// }
  /// ```
  ///
  /// The call takes no longer for a large database than for a small one, unless entries are
  /// counted. The use by queries and writes is counted in memory and saved once a minute and at the
  /// close. After a crash, the latest counts are missing.
  ///
  /// - Parameters:
  ///   - countsEntries: whether entries and documents are counted, which reads every entry. If not,
  ///     only figures that are known anyway are given.
  ///   - progress: receives the number of entries counted, now and then.
  /// - Complexity: at most one entry for each composite index and four more; every index entry, if
  ///   they are counted.
  /// - Throws: `dataLoss`, or the store's error.
  public func statistics(
    countingEntries countsEntries: Bool = false, progress: (Int) -> Void = { _ in }
  ) throws(DatabaseError) -> DatabaseStatistics {
    try engine.statistics(countingEntries: countsEntries, progress)
  }

  /// Does the same without blocking the calling thread.
  public func statistics(
    countingEntries countsEntries: Bool = false
  ) async throws(DatabaseError) -> DatabaseStatistics {
    try await Blocking.run(.unbounded) { () throws(DatabaseError) in
      try self.statistics(countingEntries: countsEntries)
    }
  }

  /// Present contents of the caches, and the number of times they were of use. They are counted at
  /// each call.
  public var cacheStatistics: CacheStatistics { engine.cacheStatistics }
}
