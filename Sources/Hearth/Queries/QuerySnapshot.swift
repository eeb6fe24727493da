import HearthDocumentEngine
public import HearthDocumentModel

/// The results of a query at one moment, in the order of the query.
public struct QuerySnapshot: Sendable {
  /// Results of the query, in its order.
  public let documents: [DocumentSnapshot]
  /// Time of the snapshot: it holds every commit up to this time, and none after it.
  public let readTime: Timestamp
  /// Work that finding the results took. A listener's snapshot has none, since it is made from the
  /// documents as they were written.
  public let statistics: QueryStatistics
  /// Changes since the snapshot before; `nil` if all documents are new.
  private let changes: [DocumentChange]?

  /// - Parameter changes: the changes since the snapshot before; `nil` if all documents are new.
  init(
    _ documents: [DocumentSnapshot], at readTime: Timestamp, _ statistics: ExecutionStatistics,
    changes: [DocumentChange]? = nil
  ) {
    self.documents = documents
    self.readTime = readTime
    self.statistics = QueryStatistics(statistics)
    self.changes = changes
  }

  /// Changes since the listener's snapshot before: first the removed documents, then the added
  /// ones, then the modified ones, each in the order of the query (§8). In the first snapshot, and
  /// in one without a listener, all documents are added.
  public var documentChanges: [DocumentChange] {
    changes
      ?? documents.enumerated().map { index, document in
        DocumentChange(.added, document, oldIndex: nil, newIndex: index)
      }
  }

  /// Number of results.
  public var count: Int { documents.count }
  /// Whether there are no results.
  public var isEmpty: Bool { documents.isEmpty }
}

/// The work that answering a query took.
public struct QueryStatistics: Sendable, Equatable, Codable {
  /// Number of index entries that were read.
  public let entriesRead: Int
  /// Number of documents that were fetched.
  public let documentsRead: Int
  /// Number of moves from one place of an index to another.
  public let seekCount: Int
  /// Number of results that the offset left out.
  public let resultsSkipped: Int
  /// Number of documents taken from entries of covering indexes instead of being fetched.
  public let documentsCovered: Int
  /// Number of kept counts that were read in place of index entries.
  public let keptCountsRead: Int
  /// Number of deleted index entries that were stepped over, because the files still hold them.
  public let deletedEntriesPassed: Int
}

extension QueryStatistics {
  init(_ statistics: ExecutionStatistics) {
    self.init(
      entriesRead: statistics.entriesRead, documentsRead: statistics.documentsRead,
      seekCount: statistics.seekCount, resultsSkipped: statistics.resultsSkipped,
      documentsCovered: statistics.documentsCovered, keptCountsRead: statistics.keptCountsRead,
      deletedEntriesPassed: statistics.deletedEntriesPassed)
  }
}
