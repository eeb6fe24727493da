import HearthDocumentModel
import HearthQueryPlanning
import HearthStorageFormat

/// A query in the form by which listeners of the same query are found.
struct ListenedQuery: Hashable {
  let query: StructuredQuery
  let normalized: NormalizedQuery
  /// Whether the results are told from the last to the first.
  let isReversed: Bool

  /// - Throws: `invalidArgument` for a query that can never run (§4.8).
  init(
    _ query: StructuredQuery, isReversed: Bool, in database: DatabaseID
  ) throws(DatabaseError) {
    self.query = query
    normalized = try NormalizedQuery(query, in: database)
    self.isReversed = isReversed
  }

  static func == (left: ListenedQuery, right: ListenedQuery) -> Bool {
    left.isReversed == right.isReversed && left.normalized == right.normalized
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(normalized.source)
    hasher.combine(normalized.orders)
    hasher.combine(normalized.offset)
    hasher.combine(normalized.limit)
    var values: [UInt8] = []
    let encoder = ValueEncoder(own: normalized.database)
    for condition in normalized.filter?.conditions ?? [] {
      hasher.combine(condition.field)
      guard case .field(_, _, let value) = condition else { continue }
      encoder.append(value, .ascending, to: &values)
    }
    hasher.combine(values)
  }
}
