package import HearthDocumentModel

/// The memory that an engine uses, and its optional techniques. None of them changes a result.
package struct EngineSettings: Sendable {
  /// The memory for documents that were read recently; 0 keeps none.
  package var documentCacheByteCount = 32 << 20
  /// The memory for the numbers of documents that were read by name; 0 keeps none.
  package var nameCacheByteCount = 8 << 20
  /// The memory for repeated index scans and for the results found in them; 0 keeps none.
  package var scanCacheByteCount = 16 << 20
  /// The cost, in entries, that queries must have spent on a scan before a part of it is kept.
  package var scanCacheThreshold = 1024
  /// The memory for kept counts; 0 reads them each time.
  package var countCacheByteCount = 4 << 20
  /// The number of deleted keys that the first seeks of scans step over, all together, for each
  /// range that is remembered as empty; 0 to remember one after every first seek, `nil` for none.
  package var emptyRangeInterval: Int? = 32
  /// Whether cursors are kept for the next query.
  package var reusesCursors = true
  /// Whether plans are kept for the next query of the same shape.
  package var cachesPlans = true
  /// Whether kept counts answer queries that count.
  package var usesKeptCounts = true
  /// Whether documents are taken from the entries of covering indexes.
  package var usesCoveringEntries = true
  /// The longest time that the last attempt of a transaction may hold up other commits.
  package var holdingNanoseconds: UInt64 = 1_000_000_000
  /// The limits of transactions that lock what they read.
  package var locks = LockLimits()
  /// The amounts that an index build reads, sorts and writes at once.
  package var build = BuildTuning()
  /// The amounts that a load gathers, sorts and writes at once.
  package var load = LoadTuning()
  /// Starts work on another thread, some time or never, for work that threads share; `nil` for no
  /// such thread.
  package var startWork: (@Sendable (@escaping @Sendable () -> Void) -> Void)?
  /// The largest number of threads that help to check and to prepare the writes of a commit.
  package var helperCount = 1

  package init() {}

  /// The part of ``scanCacheByteCount`` that is for the results of repeated queries.
  package var resultCacheByteCount: Int { cachesPlans ? scanCacheByteCount / 8 : 0 }
}
