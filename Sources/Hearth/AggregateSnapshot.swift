public import DocumentModel

/// Figures over the results of a query, as they were at one moment.
public struct AggregateSnapshot: Sendable {
  /// In the order in which they were asked for, under their aliases.
  public let values: [(alias: String, value: Value)]
  /// What it took to compute them. No document is read but those whose entries don't hold all of
  /// a value (§3.6).
  public let statistics: QueryStatistics

  /// The figure of that alias.
  ///
  /// - Throws: `invalidArgument` if none was asked for under it.
  public subscript(alias: String) -> Value {
    get throws(DatabaseError) {
      guard let figure = values.first(where: { $0.alias.utf8Equal(alias) }) else {
        throw .invalidArgument(
          "No figure was asked for as '\(alias)'. Those of this query are "
            + "\(values.map { "'\($0.alias)'" }.joined(separator: ", ")).")
      }
      return figure.value
    }
  }
}
