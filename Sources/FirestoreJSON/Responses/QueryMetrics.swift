/// The result of explaining a query (§9.2).
public struct QueryMetrics: Sendable, Equatable {
  /// An index that the plan uses.
  public struct UsedIndex: Sendable, Equatable {
    /// The scope of the index: `Collection`, `Collection group` or `Includes Ancestors`.
    public var queryScope: String
    /// The columns of the index, such as `(a ASC, __name__ ASC)`.
    public var properties: String

    public init(queryScope: String, properties: String) {
      self.queryScope = queryScope
      self.properties = properties
    }
  }

  /// The cost of running the query.
  public struct Execution: Sendable, Equatable {
    public var resultCount: Int
    public var duration: Duration
    public var readCount: Int
    public var documentsScanned: Int
    public var entriesScanned: Int
    /// Production's billed operations: names and counts, such as `documents_billable`.
    public var billing: [(name: String, count: Int)]
    /// Hearth's own figures, in addition to production's.
    public var figures: [(name: String, count: Int)]

    public init(
      resultCount: Int, duration: Duration, readCount: Int, documentsScanned: Int,
      entriesScanned: Int, billing: [(name: String, count: Int)] = [],
      figures: [(name: String, count: Int)] = []
    ) {
      self.resultCount = resultCount
      self.duration = duration
      self.readCount = readCount
      self.documentsScanned = documentsScanned
      self.entriesScanned = entriesScanned
      self.billing = billing
      self.figures = figures
    }

    public static func == (left: Execution, right: Execution) -> Bool {
      left.resultCount == right.resultCount && left.duration == right.duration
        && left.readCount == right.readCount && left.documentsScanned == right.documentsScanned
        && left.entriesScanned == right.entriesScanned
        && left.billing.elementsEqual(right.billing, by: ==)
        && left.figures.elementsEqual(right.figures, by: ==)
    }
  }

  public var indexesUsed: [UsedIndex]
  /// The cost of running the query; `nil` if it was only planned.
  public var execution: Execution?

  public init(indexesUsed: [UsedIndex], execution: Execution? = nil) {
    self.indexesUsed = indexesUsed
    self.execution = execution
  }
}

extension TypedJSON {
  /// Appends an `ExplainMetrics` on one line.
  public static func append(_ metrics: QueryMetrics, to bytes: inout [UInt8]) {
    bytes.append("{\"planSummary\":{\"indexesUsed\":")
    bytes.appendArray(metrics.indexesUsed) { bytes, index in
      bytes.append("{\"query_scope\":")
      bytes.appendJSON(index.queryScope)
      bytes.append(",\"properties\":")
      bytes.appendJSON(index.properties)
      bytes.append("}")
    }
    bytes.append("}")
    if let execution = metrics.execution {
      bytes.append(",\"executionStats\":")
      append(execution, to: &bytes)
    }
    bytes.append("}")
  }

  /// Appends the cost. 64-bit numbers are strings, as in all messages, and so are all debug
  /// statistics.
  private static func append(_ execution: QueryMetrics.Execution, to bytes: inout [UInt8]) {
    bytes.append("{\"resultsReturned\":\"\(execution.resultCount)\",\"executionDuration\":")
    bytes.appendJSON(execution.duration.protocolText)
    bytes.append(",\"readOperations\":\"\(execution.readCount)\",\"debugStats\":")
    bytes.appendMembers { members in
      members.member("documents_scanned", execution.documentsScanned)
      members.member("index_entries_scanned", execution.entriesScanned)
      if !execution.billing.isEmpty {
        members.member("billing_details") { bytes in
          bytes.appendMembers { members in
            for (name, count) in execution.billing { members.member(name, count) }
          }
        }
      }
      for (name, count) in execution.figures { members.member(name, count) }
    }
    bytes.append("}")
  }
}

extension JSONMembers {
  fileprivate mutating func member(_ name: String, _ count: Int) {
    member(name) { $0.append("\"\(count)\"") }
  }
}

extension Duration {
  /// The seconds with no, three, six or nine digits after the point, as needed: `0.004120s`.
  fileprivate var protocolText: String {
    let nanoseconds = components.attoseconds / 1_000_000_000
    guard nanoseconds != 0 else { return "\(components.seconds)s" }
    var digits = String(nanoseconds)
    digits = String(repeating: "0", count: 9 - digits.utf8.count) + digits
    while digits.utf8.suffix(3).elementsEqual("000".utf8) { digits.removeLast(3) }
    return "\(components.seconds).\(digits)s"
  }
}
