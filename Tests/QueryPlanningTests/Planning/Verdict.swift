import HearthDocumentModel
import HearthQueryPlanning
import Testing

/// A query, the indexes beside the defaults, and the verdict.
struct Verdict: Sendable, CustomTestStringConvertible {
  enum Outcome: Sendable {
    /// Served by these indexes.
    case served([String])
    case refused(String, smaller: String? = nil)
  }

  /// The row of §5.11's table, or a word.
  let row: String
  let query: StructuredQuery
  let figures: [Aggregation]
  let indexes: IndexSet
  let outcome: Outcome

  var testDescription: String { row }

  init(
    _ row: String, _ query: StructuredQuery, _ indexes: IndexSet = IndexSet(), _ outcome: Outcome,
    figures: [Aggregation] = []
  ) {
    self.row = row
    self.query = query
    self.figures = figures
    self.indexes = indexes
    self.outcome = outcome
  }

  func normalized() throws -> NormalizedQuery {
    figures.isEmpty
      ? try NormalizedQuery(query, in: .default)
      : try NormalizedAggregation(AggregationQuery(query, figures), in: .default).query
  }
}
