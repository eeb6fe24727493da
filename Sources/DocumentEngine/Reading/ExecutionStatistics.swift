/// What a query did to get its answer.
package struct ExecutionStatistics: Sendable, Equatable {
  /// Index entries that scans stood on.
  package var entriesRead = 0
  /// Those of them that were found in memory.
  package var entriesCached = 0
  /// Those of them that were only passed, in place of a seek.
  package var entriesPassed = 0
  /// Those of them whose vectors were compared.
  package var vectorEntriesRead = 0
  /// Deleted entries that scans stepped over, because the store still holds them.
  package var deletedEntriesPassed = 0
  package var documentsRead = 0
  /// Those of them that were found in memory.
  package var documentsCached = 0
  /// The stored bytes of those documents.
  package var documentBytesRead = 0
  /// Jumps of cursors over index entries.
  package var seekCount = 0
  /// Entries of one scan of a join that were looked up in what is kept of another.
  package var testCount = 0
  /// Results that the offset passed over.
  package var resultsSkipped = 0
  /// Documents that were compared with the filter, because their entries don't hold all of a value.
  package var recheckCount = 0
  /// Documents that were taken from index entries, and not read.
  package var documentsCovered = 0
  /// Kept counts that were read in place of entries.
  package var keptCountsRead = 0
  /// The entries that these counts stand for, one for each document.
  package var entriesCounted = 0

  package init(
    entriesRead: Int = 0, entriesCached: Int = 0, vectorEntriesRead: Int = 0,
    documentsRead: Int = 0,
    documentsCached: Int = 0, documentBytesRead: Int = 0, seekCount: Int = 0,
    testCount: Int = 0, resultsSkipped: Int = 0, recheckCount: Int = 0
  ) {
    self.entriesRead = entriesRead
    self.entriesCached = entriesCached
    self.vectorEntriesRead = vectorEntriesRead
    self.documentsRead = documentsRead
    self.documentsCached = documentsCached
    self.documentBytesRead = documentBytesRead
    self.seekCount = seekCount
    self.testCount = testCount
    self.resultsSkipped = resultsSkipped
    self.recheckCount = recheckCount
  }
}

/// Where a query's time went; taken only when it is asked for.
package struct ExecutionTimes: Sendable, Equatable {
  package var planning = Duration.zero
  /// Finding entries and joining or merging them.
  package var entries = Duration.zero
  /// Reading documents, those to compare included.
  package var documents = Duration.zero
}
