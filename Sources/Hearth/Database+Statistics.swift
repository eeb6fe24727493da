public import DocumentModel
public import QueryPlanning
package import DocumentEngine

/// A database in figures.
///
/// What is told is exact, but for bytes on disk, which the store estimates: what was written last
/// may be missing there. What it would take every entry to know is `nil`, unless it was asked for.
public struct DatabaseStatistics: Sendable {
  /// Number of documents; `nil` where entries weren't counted, unless sums of them are
  /// kept (``keepsSums``), which have their number.
  public let documentCount: Int?
  /// Collections that have documents; `nil` where entries weren't counted.
  public let collectionCount: Int?
  /// The commits so far that changed something.
  public let commitCount: Int
  /// When the last of them was.
  public let lastCommitTime: Timestamp
  /// Time by which that is ahead of the clock, as ``OpenReport/commitTimeLead`` tells it at the
  /// open; `nil` for less than a minute.
  public let commitTimeLead: Duration?
  /// About the bytes on disk; what was written last may be missing.
  public let diskByteCount: Int
  /// Composites first, then fields, then names; each kind sorted. Where entries weren't counted, of
  /// the last two those that were used or written to since ``usageStart``.
  public let indexes: [IndexStatistics]
  /// Since when the use of indexes is recorded.
  public let usageStart: Timestamp
  /// Why it could not be saved lately; `nil` if it could.
  public let usageFailure: String?
  /// What is kept in memory.
  public let caches: CacheStatistics
  /// Moments of the past that are kept for `snapshot(at:)`.
  public let historyMomentCount: Int
  /// The bytes that were written since the earliest of them.
  public let historyByteCount: Int
  /// Listeners that there are.
  public let listenerCount: Int
  /// Whether sums of the index entries are kept, as `IndexAdministration.keepSums` begins it.
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

/// What one index holds, and what became of it; or two that differ in direction alone and have
/// their entries in common.
public struct IndexStatistics: Sendable {
  /// What is indexed.
  public enum Kind: String, Sendable {
    /// Several fields together.
    case composite
    /// A field by itself.
    case field
    /// The names of documents.
    case names
  }

  /// What is indexed.
  public let kind: Kind
  /// The indexes that the entries serve: one, or a field's ascending and descending ones.
  public let definitions: [IndexDefinition]
  /// Whether queries use it already.
  public let state: IndexState
  /// Whether it is hidden from queries.
  public let isHidden: Bool
  /// `nil` where entries weren't counted, unless it is a composite index of which sums are kept.
  public let entryCount: Int?
  /// The bytes of the entries' keys and values, as they would be uncompressed; `nil` where entries
  /// weren't counted.
  public let byteCount: Int?
  /// About the bytes on disk; what was written last may be missing. `nil` where entries weren't
  /// counted, but for a composite index: those of fields and names lie among others.
  public let diskByteCount: Int?
  /// Since when its use is recorded: its creation, or when recording began.
  public let since: Timestamp
  /// Queries that it served, alone or with others; `nil` where queries used the indexes of more
  /// fields than are counted, and this may be one of the others.
  public let queryCount: Int?
  /// When it served the last one; `nil` for none since recording began, as far as is known.
  public let lastQueryTime: Timestamp?
  /// Entries that writes of documents have put and deleted; those of builds don't count.
  public let entryWriteCount: Int

  /// The id of the collections that it is for.
  public var collectionGroup: String { definitions[0].collectionGroup }

  /// Whether it was there at `time` already, recorded, and no query has used it since. It isn't
  /// where that isn't known.
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
  /// The database in figures, as it is at this moment.
  ///
  /// ```swift
  /// let statistics = try database.statistics()
  /// for index in statistics.indexes where index.isUnused(since: aWeekAgo) {
  ///   print(index.definitions[0], index.diskByteCount ?? 0, index.entryWriteCount)
  /// }
  /// ```
  ///
  /// It takes no longer for a large database than for a small one, unless entries are counted. What
  /// queries and writes did is counted in memory and saved once a minute and at the close: after a
  /// crash, the last of it is missing.
  ///
  /// - Parameters:
  ///   - countsEntries: whether entries and documents are counted, which reads every entry.
  ///     Without, only what is known anyway is told.
  ///   - progress: is told the number of entries counted, now and then.
  /// - Complexity: one entry for each composite index and four more, at most; every index entry, if
  ///   they are counted.
  /// - Throws: `dataLoss`, or what the store reports.
  public func statistics(
    countingEntries countsEntries: Bool = false, progress: (Int) -> Void = { _ in }
  ) throws(DatabaseError) -> DatabaseStatistics {
    DatabaseStatistics(
      try engine.statistics(countingEntries: countsEntries, progress),
      keepsSums: try indexes.keepsSums())
  }

  /// The same, without blocking the calling thread.
  public func statistics(
    countingEntries countsEntries: Bool = false
  ) async throws(DatabaseError) -> DatabaseStatistics {
    try await Blocking.run(.unbounded) { () throws(DatabaseError) in
      try self.statistics(countingEntries: countsEntries)
    }
  }
}
