public import QueryPlanning
import DocumentEngine

/// How a query runs: its plan, and why it does not use the other indexes.
public struct QueryExplanation: Sendable {
  /// An index that the query reads, in production's words (§5.10).
  public struct UsedIndex: Sendable, Hashable {
    /// `Collection` or `Collection group`.
    public let queryScope: String
    /// Such as `(countryCode ASC, population DESC, __name__ DESC)`.
    public let properties: String
  }

  /// An index that the query does not read.
  public struct UnusedIndex: Sendable {
    /// Which it is.
    public let index: IndexDefinition
    /// Whether it is one of the single-field indexes.
    public let isAutomatic: Bool
    /// The rest of a sentence about the index: `has scope COLLECTION, which …`.
    public let reason: String
    /// The smallest edit that would let the query use the index, such as `drop column b`; `nil`
    /// where none of up to two steps does.
    public let edit: String?
  }

  /// The plan as a tree: its `description` is for people, its nodes for programs. The nodes say
  /// what each index took, if the query was run.
  public let tree: PlanNode
  /// In the order of the filter's alternatives, an index once for each range that is read of it.
  public let indexesUsed: [UsedIndex]
  /// Every other index of the collection, with the reason.
  public let indexesNotUsed: [UnusedIndex]
  /// What running the query took; `nil` if it wasn't run.
  public let execution: Execution?

  /// The plan over several lines, for people.
  public var plan: String { tree.description }
  /// What running the query took; `nil` if it wasn't run.
  public var statistics: QueryStatistics? { execution?.statistics }
  /// The number of results; `nil` if the query wasn't run.
  public var resultCount: Int? { execution?.resultCount }
}

extension QueryExplanation {
  /// What running a query took.
  public struct Execution: Sendable {
    /// Documents, or 1 for an aggregation.
    public let resultCount: Int
    /// What was read.
    public let statistics: QueryStatistics
    /// The stored bytes of the documents that were read.
    public let documentBytesRead: Int
    /// Where the time went: choosing indexes, finding entries, reading documents.
    public let planning: Duration
    /// The time spent in indexes.
    public let findingEntries: Duration
    /// The time spent on documents.
    public let readingDocuments: Duration
    /// The same run as production would count it.
    public let production: ProductionStatistics
  }

  /// A run in the figures of production's explain (§9.2).
  ///
  /// It counts results and skipped results as documents, and one entry that it looks at behind a
  /// limit, where Hearth stops. It has a scan for each range, and seeks in a merge: what Hearth
  /// passes by steps in place of a seek doesn't count.
  public struct ProductionStatistics: Sendable, Hashable {
    /// Documents, or figures, that are returned.
    public let resultsReturned: Int
    /// Read operations that are charged.
    public let readOperations: Int
    /// Documents that are read.
    public let documentsScanned: Int
    /// Index entries that are read, looking ahead included (§5.9).
    public let indexEntriesScanned: Int
    /// Documents that are charged.
    public let documentsBillable: Int
    /// Index entries that are charged.
    public let indexEntriesBillable: Int
    /// `nil` for a query that isn't for the nearest vectors.
    public let knnVectorIndexEntriesBillable: Int?
    /// Small operations that are charged.
    public let smallOperations: Int
    /// 1 for a run that found nothing.
    public let minimumQueryCost: Int
  }
}

/// How many index entries production counts as one read (§9.2).
private let entriesPerRead = 1_000
private let vectorsPerRead = 100

extension QueryExplanation.ProductionStatistics {
  /// Of a query for documents.
  ///
  /// - Parameter hasMore: whether there is a result behind the limit.
  init(resultCount: Int, of plan: Plan, _ statistics: ExecutionStatistics, hasMore: Bool) {
    let documentCount = resultCount + statistics.resultsSkipped
    let isNearest = plan.nearest != nil
    let entryCount = statistics.entriesScanned + (hasMore ? 1 : 0)
    let vectorReads = isNearest ? entryCount.dividedUp(by: vectorsPerRead) : 0
    resultsReturned = resultCount
    readOperations = max(1, documentCount + vectorReads)
    documentsScanned = documentCount
    indexEntriesScanned = entryCount
    documentsBillable = documentCount
    indexEntriesBillable = 0
    knnVectorIndexEntriesBillable = isNearest ? entryCount : nil
    smallOperations = 0
    minimumQueryCost = documentCount + vectorReads == 0 ? 1 : 0
  }

  /// Of an aggregation.
  init(aggregationOver plan: Plan, _ statistics: ExecutionStatistics) {
    let isNearest = plan.nearest != nil
    // Production has no kept counts, and reads the entries that they stand for.
    let entryCount = statistics.entriesScanned + statistics.entriesCounted
    let reads = entryCount.dividedUp(by: isNearest ? vectorsPerRead : entriesPerRead)
    resultsReturned = 1
    readOperations = max(1, reads)
    documentsScanned = 0
    indexEntriesScanned = entryCount
    documentsBillable = 0
    indexEntriesBillable = isNearest ? 0 : entryCount
    knnVectorIndexEntriesBillable = isNearest ? entryCount : nil
    smallOperations = 0
    minimumQueryCost = entryCount == 0 ? 1 : 0
  }
}

extension ExecutionStatistics {
  fileprivate var entriesScanned: Int { entriesRead - entriesPassed }
}

extension Int {
  fileprivate func dividedUp(by divisor: Int) -> Int { (self + divisor - 1) / divisor }
}
