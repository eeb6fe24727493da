public import HearthDocumentModel

/// Figures computed over the results of a query at one moment.
public struct AggregateSnapshot: Sendable {
  /// Figures in the order of the request, each with its alias.
  public let values: [(alias: String, value: Value)]
  /// Work that computing the figures took. Documents are read only if their index entries don't
  /// hold the whole value (§3.6).
  public let statistics: QueryStatistics

  /// Returns the figure with an alias.
  ///
  /// - Throws: `invalidArgument` if the request had no figure of that alias.
  public subscript(alias: String) -> Value {
    get throws(DatabaseError) {
      guard let figure = values.first(where: { $0.alias.utf8Equal(alias) }) else {
        throw .invalidArgument(
          "The query has no figure '\(alias)'. Its figures are "
            + "\(values.map { "'\($0.alias)'" }.joined(separator: ", ")).")
      }
      return figure.value
    }
  }
}
