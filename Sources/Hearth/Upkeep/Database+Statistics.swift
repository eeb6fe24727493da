import DocumentEngine
public import DocumentModel
package import EngineUpkeep
public import QueryPlanning

/// Figures about a database.
///
/// All figures are exact, except for bytes on disk, which the store estimates: they may lack the
/// latest writes. A figure that only a scan of all entries can give is `nil` unless entries were
/// counted.
public struct DatabaseStatistics: Sendable {
  /// Number of documents; `nil` if entries weren't counted, unless sums of them are kept
  /// (``keepsSums``), which include the number.
  public let documentCount: Int?
  /// Number of collections that have documents; `nil` if entries weren't counted.
  public let collectionCount: Int?
  /// Number of commits so far that changed something.
  public let commitCount: Int
  /// Time of the last of these commits.
  public let lastCommitTime: Timestamp
  /// Time by which ``lastCommitTime`` is ahead of the clock, as ``OpenReport/commitTimeLead`` gives
  /// it at the open; `nil` for less than a minute.
  public let commitTimeLead: Duration?
  /// Approximate number of bytes on disk; the latest writes may be missing.
  public let diskByteCount: Int
  /// Composite indexes first, then fields, then names; each kind sorted. If entries weren't
  /// counted, fields and names are listed only if they were used or written since ``usageStart``.
  public let indexes: [IndexStatistics]
  /// Time since which the use of indexes is recorded.
  public let usageStart: Timestamp
  /// Reason why the last save of the recorded use failed; `nil` if it succeeded.
  public let usageFailure: String?
  /// Contents of the caches.
  public let caches: CacheStatistics
  /// Number of past moments kept for `snapshot(at:)`.
  public let historyMomentCount: Int
  /// Number of bytes written since the earliest of these moments.
  public let historyByteCount: Int
  /// Number of listeners.
  public let listenerCount: Int
  /// Whether sums of the index entries are kept, as begun by `IndexAdministration.keepSums`.
  public let keepsSums: Bool

  package init(_ statistics: EngineStatistics, keepsSums: Bool) {
    self.keepsSums = keepsSums
    documentCount = statistics.documentCount
    collectionCount = statistics.collectionCount
    commitCount = statistics.commitNumber
    lastCommitTime = statistics.lastCommitTime
    commitTimeLead = statistics.commitTimeLead
    diskByteCount = statistics.diskByteCount
    indexes = statistics.indexes.map(IndexStatistics.init)
    usageStart = statistics.usageStart
    usageFailure = statistics.usageFailure
    caches = CacheStatistics(statistics.caches)
    historyMomentCount = statistics.historyMomentCount
    historyByteCount = statistics.historyByteCount
    listenerCount = statistics.listenerCount
  }
}

/// Contents and use of one index, or of two that differ only in direction and share their entries.
public struct IndexStatistics: Sendable {
  /// Kinds of indexes.
  public enum Kind: String, Sendable {
    /// An index of several fields together.
    case composite
    /// The index of a single field.
    case field
    /// The index of document names.
    case names
  }

  /// Kind of the index.
  public let kind: Kind
  /// Indexes that the entries serve: one, or a field's ascending and descending ones.
  public let definitions: [IndexDefinition]
  /// State of the index, which tells whether queries use it yet.
  public let state: IndexState
  /// Whether the index is hidden from queries.
  public let isHidden: Bool
  /// Number of entries; `nil` if entries weren't counted, unless the index is a composite index
  /// with sums.
  public let entryCount: Int?
  /// Number of bytes of the entries' keys and values, uncompressed; `nil` if entries weren't
  /// counted.
  public let byteCount: Int?
  /// Approximate number of bytes on disk; the latest writes may be missing. If entries weren't
  /// counted, it is `nil` for fields and names, whose entries lie among others, and known for a
  /// composite index.
  public let diskByteCount: Int?
  /// Time since which its use is recorded: its creation, or the beginning of recording.
  public let since: Timestamp
  /// Number of queries that it served, alone or with others; `nil` if it is unknown: queries used
  /// the indexes of more fields than are counted, and this may be one of the others.
  public let queryCount: Int?
  /// Time of the last query that it served; `nil` if none is known since recording began.
  public let lastQueryTime: Timestamp?
  /// Number of entries that writes of documents put and deleted; those of builds don't count.
  public let entryWriteCount: Int

  /// Id of the collections that the index is for.
  public var collectionGroup: String { definitions[0].collectionGroup }

  /// Whether the index existed at `time`, its use was recorded, and no query has used it since. The
  /// result is `false` if that isn't known.
  public func isUnused(since time: Timestamp) -> Bool {
    queryCount != nil && since <= time && lastQueryTime.map { $0 < time } ?? true
  }

  init(_ index: EngineStatistics.Index) {
    kind =
      switch index.kind {
      case .composite: .composite
      case .field: .field
      case .names: .names
      }
    definitions = index.definitions
    state = index.state
    isHidden = index.isHidden
    entryCount = index.entryCount
    byteCount = index.byteCount
    diskByteCount = index.diskByteCount
    since = index.since
    queryCount = index.queryCount
    lastQueryTime = index.lastQueryTime
    entryWriteCount = index.entryWriteCount
  }
}

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
    DatabaseStatistics(
      try engine.statistics(countingEntries: countsEntries, progress),
      keepsSums: try indexes.keepsSums())
  }

  /// Does the same without blocking the calling thread.
  public func statistics(
    countingEntries countsEntries: Bool = false
  ) async throws(DatabaseError) -> DatabaseStatistics {
    try await Blocking.run(.unbounded) { () throws(DatabaseError) in
      try self.statistics(countingEntries: countsEntries)
    }
  }
}
