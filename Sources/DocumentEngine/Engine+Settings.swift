extension Engine {
  /// What an engine spends memory on, and which of its techniques it uses. None of them changes an
  /// answer.
  package struct Settings: Sendable {
    /// The memory for documents that were read lately; 0 keeps none.
    package var documentCacheByteCount = 32 << 20
    /// The memory for the numbers of documents that were got by name; 0 keeps none.
    package var nameCacheByteCount = 8 << 20
    /// The memory for what joins need of index scans; 0 keeps none.
    package var scanCacheByteCount = 16 << 20
    /// What queries must have spent on a scan, in entries, before something is kept of it.
    package var scanCacheThreshold = 1024
    /// The memory for kept counts; 0 reads them each time.
    package var countCacheByteCount = 4 << 20
    /// From when on a scan's first seek is slow, so that what it passed is remembered as empty;
    /// `nil` remembers nothing.
    package var slowSeekNanoseconds: UInt64? = 10_000
    /// Whether cursors are kept for the next query.
    package var reusesCursors = true
    /// Whether plans are kept for the next query of the same shape.
    package var cachesPlans = true
    /// Whether counts that are kept answer queries that count.
    package var usesKeptCounts = true
    /// Whether documents are taken from the entries of covering indexes.
    package var usesCoveringEntries = true
    /// Longest time that the last attempt of a transaction may hold up the commits of others.
    package var holdingNanoseconds: UInt64 = 1_000_000_000
    /// How much an index build reads, sorts and writes at once.
    package var build = BuildTuning()

    package init() {}
  }
}
