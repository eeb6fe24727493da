package import DocumentModel

/// A valid query in the form that planning and matching start from (§4.3, §4.4).
package struct NormalizedQuery: Sendable, Equatable {
  /// The database that names in the query and in its errors belong to.
  package let database: DatabaseID
  package let source: QuerySource
  /// The filter as it was asked.
  package let filter: Filter?
  /// The filter as alternatives, each with one entry per field: what indexes have to find. There is
  /// at least one, and no two are written alike.
  package let disjuncts: [Conjunction]
  /// Fields with an inequality anywhere, `__name__` included, sorted.
  package let inequalityFields: [FieldPath]
  /// O of §4.4: the explicit orders, the inequality fields, and `__name__` last.
  package let orders: [Order]
  /// A of §5.1: the fields that are added up, sorted.
  package let aggregatedFields: [FieldPath]
  /// Positions in `orders`; `nil` restricts nothing.
  package let start: Cursor?
  package let end: Cursor?
  package let offset: Int
  package let limit: Int?
  package let projection: [FieldPath]?
  package let nearest: NearestNeighbors?

  /// - Throws: `invalidArgument` with production's text for a query that can never run (§4.8).
  package init(
    _ query: StructuredQuery, aggregating aggregatedFields: [FieldPath] = [],
    in database: DatabaseID
  ) throws(DatabaseError) {
    let conditions = query.filter?.conditions ?? []
    let inequalities = Set(conditions.filter(\.isInequality).map(\.field)).sorted()
    let form = try query.validated(
      conditions, inequalityFields: inequalities, aggregating: aggregatedFields, in: database)
    self.database = database
    self.source = query.source
    self.filter = query.filter
    self.disjuncts = form.disjuncts.map { Conjunction($0) }.withoutDuplicates
    self.inequalityFields = inequalities
    self.orders = try query.normalizedOrders(inequalityFields: inequalities)
    self.aggregatedFields = Set(aggregatedFields).sorted()
    // A cursor without values restricts nothing (§4.6).
    self.start = query.start.flatMap { $0.values.isEmpty ? nil : $0 }
    self.end = query.end.flatMap { $0.values.isEmpty ? nil : $0 }
    self.offset = query.offset
    self.limit = query.limit
    self.projection = query.projection
    self.nearest = query.nearest
  }
}

extension NormalizedQuery {
  /// Whether the cursor tells one document's place among all others: documents with values that
  /// look alike to an index are sorted by name (§3.6). One of values alone is compared with values.
  func isNamed(_ cursor: Cursor) -> Bool { cursor.values.count == orders.count }

  /// Whether all that lies behind a result lies behind the start, too.
  ///
  /// Not so for one of values alone at a value that an index cuts: documents that look alike are
  /// sorted by name, whichever side of the start they are on (§3.6).
  package var startIsPosition: Bool {
    guard let start, !isNamed(start) else { return true }
    return !start.values.contains(where: \.isCutByIndexes)
  }
}

extension [Conjunction] {
  fileprivate var withoutDuplicates: [Conjunction] {
    guard count > 1 else { return self }
    var distinct: [Conjunction] = []
    for conjunction in self where !distinct.contains(conjunction) { distinct.append(conjunction) }
    return distinct
  }
}

extension StructuredQuery {
  /// Only for a valid query.
  var source: QuerySource {
    if collectionID.isEmpty { return .everyCollection(below: parent, allDescendants) }
    return allDescendants
      ? .collectionGroup(collectionID, below: parent)
      : .collection(parent.appending(unchecked: collectionID))
  }

  /// O of §4.4.
  ///
  /// - Throws: `invalidArgument` if an inequality field had to follow an explicit `__name__`.
  fileprivate func normalizedOrders(
    inequalityFields: [FieldPath]
  ) throws(DatabaseError) -> [Order] {
    var normalized = orders
    let direction = orders.last?.direction ?? .ascending
    for field in inequalityFields where !field.isDocumentID {
      guard !orders.contains(where: { $0.field == field }) else { continue }
      guard orders.last?.field != .documentID else { throw .ordersBehindKey }
      normalized.append(Order(field, direction))
    }
    if normalized.last?.field != .documentID {
      normalized.append(Order(.documentID, direction))
    }
    return normalized
  }
}
