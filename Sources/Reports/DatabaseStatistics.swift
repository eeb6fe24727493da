public import HearthDocumentModel

/// Figures about a database.
///
/// All figures are exact, except for bytes on disk, which the store estimates: they may lack the
/// latest writes. A figure that only a scan of all entries can give is `nil` unless entries were
/// counted.
public struct DatabaseStatistics: Sendable, Codable {
  /// Number of documents; `nil` if entries weren't counted, unless sums of them are kept
  /// (``keepsSums``), which include the number.
  public package(set) var documentCount: Int?
  /// Number of collections that have documents; `nil` if entries weren't counted.
  public package(set) var collectionCount: Int?
  /// Number of commits so far that changed something.
  public let commitCount: Int
  /// Time of the last of these commits.
  public let lastCommitTime: Timestamp
  package var commitTimeLeadMicroseconds: Int?
  /// Approximate number of bytes on disk; the latest writes may be missing.
  public package(set) var diskByteCount = 0
  /// Composite indexes first, then fields, then names; each kind sorted. If entries weren't
  /// counted, fields and names are listed only if they were used or written since ``usageStart``.
  public package(set) var indexes: [IndexStatistics] = []
  /// Time since which the use of indexes is recorded.
  public let usageStart: Timestamp
  /// Reason why the last save of the recorded use failed; `nil` if it succeeded.
  public package(set) var usageFailure: String?
  /// Contents of the caches.
  public package(set) var caches = CacheStatistics()
  /// Number of past moments kept for `snapshot(at:)`.
  public package(set) var historyMomentCount = 0
  /// Number of bytes written since the earliest of these moments.
  public package(set) var historyByteCount = 0
  /// Number of listeners.
  public package(set) var listenerCount = 0
  /// Whether sums of the index entries are kept, as begun by `IndexAdministration.keepSums`.
  public package(set) var keepsSums = false

  package init(commitCount: Int, lastCommitTime: Timestamp, usageStart: Timestamp) {
    self.commitCount = commitCount
    self.lastCommitTime = lastCommitTime
    self.usageStart = usageStart
  }

  /// Time by which ``lastCommitTime`` is ahead of the clock, as `OpenReport.commitTimeLead` gives
  /// it at the open; `nil` for less than a minute.
  public var commitTimeLead: Duration? { commitTimeLeadMicroseconds.map { .microseconds($0) } }
}

/// Contents of a database's caches, and the number of reads that they spared.
public struct CacheStatistics: Sendable, Equatable, Codable {
  /// Number of documents kept.
  public package(set) var documentCount = 0
  /// Approximate number of bytes that the documents take, at most
  /// `Database.Options.documentCacheByteCount`.
  public package(set) var documentByteCount = 0
  /// Number of documents found in memory since the database was opened.
  public package(set) var documentHitCount = 0
  /// Number of documents not found in memory and read from the files.
  public package(set) var documentMissCount = 0
  /// Number of index scans kept.
  public package(set) var scanCount = 0
  /// Approximate number of bytes that the scans and the results found in them take, at most
  /// `Database.Options.scanCacheByteCount`.
  public package(set) var scanByteCount = 0

  package init() {}

  /// Share of the documents looked for that were found in memory; `nil` before the first.
  public var documentHitRate: Double? {
    let total = documentHitCount + documentMissCount
    return total > 0 ? Double(documentHitCount) / Double(total) : nil
  }
}
