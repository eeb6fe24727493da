import HearthDocumentEngine
import HearthDocumentModel
import HearthFirestoreJSON
import HearthQueryPlanning

/// An observed query and its work. It is put into words only if it was slow.
///
/// It is a class because it is passed on often, and a query has many references to copy.
final class QueryWork {
  enum Run {
    case documents(StructuredQuery, QueryExecution)
    case figures(AggregationQuery, AggregationResult)
    case count(StructuredQuery, KeptCountAnswer)
  }

  private let databaseID: DatabaseID
  /// The run that the work is read from; `nil` for a query that is refused.
  var run: Run?

  init(in databaseID: DatabaseID) {
    self.databaseID = databaseID
  }

  /// Reads so far; `nil` for a query that is refused.
  var statistics: ExecutionStatistics? {
    switch run {
    case .documents(_, let execution): execution.statistics
    case .figures(_, let result): result.statistics
    case .count(_, let answer): answer.statistics
    case nil: nil
    }
  }

  /// Text of the query as a person would type it.
  var text: String {
    switch run {
    case .documents(let query, _), .count(let query, _): QueryText.text(of: query, in: databaseID)
    case .figures(let query, _): QueryText.text(of: query, in: databaseID)
    case nil: ""
    }
  }

  /// The plan, with the reads in each index.
  var plan: String {
    switch run {
    case .documents(_, let execution): tree(execution.plan, execution.scanStatistics)
    case .figures(_, let result): tree(result.plan, result.scanStatistics)
    case .count(_, let answer): tree(answer.plan, answer.scanStatistics)
    case nil: ""
    }
  }

  private func tree(_ plan: Plan, _ statistics: [[ScanStatistics]]) -> String {
    let work = statistics.map { branch in
      branch.map { PlanNode.Work(entriesRead: $0.entriesRead, seekCount: $0.seekCount) }
    }
    return plan.node(work: work).description
  }
}
