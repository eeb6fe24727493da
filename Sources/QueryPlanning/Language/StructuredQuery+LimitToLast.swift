public import HearthDocumentModel

/// A query whose results come in the opposite order.
public struct ReversedQuery: Sendable, Equatable {
  /// The query to run. Its caller reverses the results.
  public let query: StructuredQuery
}

extension StructuredQuery {
  /// Returns the query that finds the last `count` results of this one, from the last to the first
  /// (§4.7).
  ///
  /// Every direction is reversed, including the orders that §4.4 appends, as they follow the last
  /// explicit one. So the query needs the index of the reversed order. An offset skips results at
  /// the end.
  ///
  /// - Throws: `unimplemented` if there is no explicit order, as the Firebase SDK does.
  public func limitedToLast(_ count: Int) throws(DatabaseError) -> ReversedQuery {
    guard !orders.isEmpty else {
      throw DatabaseError(
        .unimplemented,
        "limitToLast() queries require specifying at least one orderBy() clause")
    }
    var flipped = self
    flipped.orders = orders.map { Order($0.field, $0.direction.reversed) }
    flipped.start = end?.reversed
    flipped.end = start?.reversed
    flipped.limit = count
    return ReversedQuery(query: flipped)
  }
}

extension Cursor {
  /// The same gap between results, for the opposite order.
  fileprivate var reversed: Cursor { Cursor(values, isBefore: !isBefore) }
}
