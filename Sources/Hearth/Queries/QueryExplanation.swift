public import HearthQueryPlanning
import HearthDocumentEngine

/// Explanation of a query: its plan, and the reasons for not using the other indexes.
public struct QueryExplanation: Sendable, Codable {
  /// An index that the query reads, in production's words (§5.10).
  public struct UsedIndex: Sendable, Hashable, Codable {
    /// The scope of the query: `Collection` or `Collection group`.
    public let queryScope: String
    /// Properties of the index, such as `(countryCode ASC, population DESC, __name__ DESC)`.
    public let properties: String
  }

  /// An index that the query does not read.
  public struct UnusedIndex: Sendable, Codable {
    /// Definition of the index.
    public let index: IndexDefinition
    /// Whether the index is one of the single-field indexes.
    public let isAutomatic: Bool
    /// Reason why the query doesn't read the index, in words that follow the index's name, such as
    /// `has scope COLLECTION, which …`.
    public let reason: String
    /// The smallest edit that would let the query use the index, such as `drop column b`; `nil` if
    /// no edit of up to two steps would.
    public let edit: String?
  }

  /// The plan as a tree. Its `description` is for people, its nodes for programs. If the query was
  /// run, the nodes hold the work done in each index.
  public let tree: PlanNode
  /// Indexes in the order of the filter's alternatives. An index is listed once for each range read
  /// in it.
  public let indexesUsed: [UsedIndex]
  /// Every other index of the collection id, with the reason.
  public let indexesNotUsed: [UnusedIndex]
  /// Composite indexes that would replace each merge of the plan by one scan; empty if the plan
  /// merges no indexes. ``IndexAdministration`` creates them, unless they are hidden or being
  /// built.
  public let indexesReplacingMerges: [MissingIndex]
  /// Measurements of the run; `nil` if the query wasn't run.
  public let execution: Execution?

  /// The plan over several lines, for people.
  public var plan: String { tree.description }
  /// Work of the run; `nil` if the query wasn't run.
  public var statistics: QueryStatistics? { execution?.statistics }
  /// Number of results; `nil` if the query wasn't run.
  public var resultCount: Int? { execution?.resultCount }
}

extension QueryExplanation {
  /// Measurements of one run of a query.
  public struct Execution: Sendable, Codable {
    /// Number of documents, or 1 for an aggregation.
    public let resultCount: Int
    /// Reads of the run.
    public let statistics: QueryStatistics
    /// Number of stored bytes of the documents read.
    public let documentBytesRead: Int
    /// Time spent on choosing indexes.
    public let planning: Duration
    /// Time spent on finding entries in indexes.
    public let findingEntries: Duration
    /// Time spent on reading documents.
    public let readingDocuments: Duration
    /// The same run as production would count it.
    public let production: ProductionStatistics
  }

  /// Figures of a run as production's explain counts them (§9.2).
  ///
  /// Production counts results and skipped results as documents. It also reads and counts one entry
  /// after the limit, which Hearth doesn't read. It makes one scan for each range, and seeks in a
  /// merge: entries that Hearth steps over instead of seeking don't count.
  public struct ProductionStatistics: Sendable, Hashable, Codable {
    private enum CodingKeys: String, CodingKey {
      case resultsReturned, readOperations, documentsScanned, indexEntriesScanned
      case documentsBillable, indexEntriesBillable
      case knnVectorIndexEntriesBillable = "vectorsBillable"
      case smallOperations, minimumQueryCost
    }

    /// Number of documents or figures returned.
    public let resultsReturned: Int
    /// Number of read operations charged.
    public let readOperations: Int
    /// Number of documents read.
    public let documentsScanned: Int
    /// Number of index entries read, including those read ahead (§5.9).
    public let indexEntriesScanned: Int
    /// Number of documents charged.
    public let documentsBillable: Int
    /// Number of index entries charged.
    public let indexEntriesBillable: Int
    /// Number of vector index entries charged; `nil` for a query that isn't for the nearest
    /// vectors.
    public let knnVectorIndexEntriesBillable: Int?
    /// Number of small operations charged.
    public let smallOperations: Int
    /// Minimum cost: 1 for a run that found nothing.
    public let minimumQueryCost: Int
  }
}

/// Number of index entries that production counts as one read (§9.2).
private let entriesPerRead = 1_000
private let vectorsPerRead = 100

extension QueryExplanation.ProductionStatistics {
  /// Creates the figures of a query for documents.
  ///
  /// - Parameter hasMore: whether there is a result after the limit.
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

  /// Creates the figures of an aggregation.
  init(aggregationOver plan: Plan, _ statistics: ExecutionStatistics) {
    let isNearest = plan.nearest != nil
    // Production has no kept counts. It reads the entries that Hearth counts without reading.
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
