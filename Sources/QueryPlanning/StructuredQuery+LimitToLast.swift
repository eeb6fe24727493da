public import DocumentModel

/// A query whose results come in the opposite of the order that was asked for.
public struct ReversedQuery: Sendable, Equatable {
  /// What to run; reverse its results.
  public let query: StructuredQuery
}

extension StructuredQuery {
  /// The query that finds the last `count` results of this one, from the last to the first (§4.7).
  ///
  /// Every direction is flipped, those of the orders that §4.4 appends too, as they follow the last
  /// explicit one. So it needs the index of the flipped order. An offset skips results at the end.
  ///
  /// - Throws: `unimplemented`, as the Firebase SDK, without an explicit order.
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
  /// The same gap between results, seen from the other side.
  fileprivate var reversed: Cursor { Cursor(values, isBefore: !isBefore) }
}
