/// The work that a query did for its answer.
package struct ExecutionStatistics: Sendable, Equatable {
  /// The number of index entries that scans stood on.
  package var entriesRead = 0
  /// The number of those entries that were found in memory.
  package var entriesCached = 0
  /// The number of those entries that were only passed, instead of a seek.
  package var entriesPassed = 0
  /// The number of those entries whose vectors were compared.
  package var vectorEntriesRead = 0
  /// The number of deleted entries that scans stepped over, because the store still holds them.
  package var deletedEntriesPassed = 0
  package var documentsRead = 0
  /// The number of those documents that were found in memory.
  package var documentsCached = 0
  /// The number of stored bytes of the documents read.
  package var documentBytesRead = 0
  /// The number of jumps of cursors over index entries.
  package var seekCount = 0
  /// The number of entries of one scan of a join that were looked up in another scan, which is kept
  /// in memory.
  package var testCount = 0
  /// The number of results that the offset passed over.
  package var resultsSkipped = 0
  /// The number of documents that were compared with the filter, because their entries don't hold
  /// all of a value.
  package var recheckCount = 0
  /// The number of documents that were taken from index entries instead of being read.
  package var documentsCovered = 0
  /// The number of kept counts that were read instead of entries.
  package var keptCountsRead = 0
  /// The number of entries that these counts stand for, one for each document.
  package var entriesCounted = 0

  package init(entriesRead: Int = 0, documentsRead: Int = 0, seekCount: Int = 0) {
    self.entriesRead = entriesRead
    self.documentsRead = documentsRead
    self.seekCount = seekCount
  }
}

/// The times that the parts of a query took. They are measured only on request.
package struct ExecutionTimes: Sendable, Equatable {
  package var planning = Duration.zero
  /// The time for finding entries, and for joining or merging them.
  package var entries = Duration.zero
  /// The time for reading documents, including those that are compared with the filter.
  package var documents = Duration.zero
}

/// The work of one scan of a branch.
package struct ScanStatistics: Sendable, Equatable {
  /// The number of index entries that the scan stood on.
  package var entriesRead = 0
  /// The number of those entries that were found in memory.
  package var entriesCached = 0
  /// The number of those entries that were only passed, instead of a seek.
  package var entriesPassed = 0
  /// The number of deleted entries that the cursor stepped over. `entriesRead` doesn't include
  /// them.
  package var deletedEntriesPassed = 0
  /// The number of jumps of the cursor over entries.
  package var seekCount = 0
  /// The number of entries of another scan of the join that were looked up in memory, instead of
  /// reading entries of this one.
  package var testCount = 0

  mutating func add(_ other: ScanStatistics) {
    entriesRead += other.entriesRead
    entriesCached += other.entriesCached
    entriesPassed += other.entriesPassed
    deletedEntriesPassed += other.deletedEntriesPassed
    seekCount += other.seekCount
    testCount += other.testCount
  }
}

/// The place of a scan in its plan.
struct ScanPlace {
  /// The index of the branch in the plan.
  let branch: Int
  /// The index of the scan in the branch.
  let scan: Int
}
