package import HearthDocumentModel

/// A valid query in the form for planning and matching (§4.3, §4.4).
package struct NormalizedQuery: Sendable, Equatable {
  /// The database of the names in the query and in its errors.
  package let database: DatabaseID
  package let source: QuerySource
  /// The filter as the request has it.
  package let filter: Filter?
  /// The first alternative of the filter. Most filters have no other.
  let firstDisjunct: Conjunction
  private let otherDisjuncts: [Conjunction]
  /// The number of fields with an inequality anywhere in the filter, `__name__` included.
  let inequalityFieldCount: Int
  /// O of §4.4: the explicit orders, the inequality fields, and `__name__` last.
  package let orders: [Order]
  /// A of §5.1: the fields that are added up, sorted.
  package let aggregatedFields: [FieldPath]
  /// The position in `orders` where results start; `nil` for the first result.
  package let start: Cursor?
  /// The position in `orders` where results end; `nil` for the last result.
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
    let inequalities = Set(conditions.filter(\.isInequality).compactMap(\.field)).sorted()
    let form = try query.validated(
      conditions, inequalityFields: inequalities, aggregating: aggregatedFields, in: database)
    self.database = database
    self.source = query.source
    self.filter = query.filter
    let disjuncts = form.disjuncts.map { Conjunction($0) }.withoutDuplicates
    self.firstDisjunct = disjuncts[0]
    self.otherDisjuncts = Array(disjuncts.dropFirst())
    self.inequalityFieldCount = inequalities.count
    self.orders = try query.normalizedOrders(inequalityFields: inequalities)
    self.aggregatedFields = Set(aggregatedFields).sorted()
    self.start = query.start?.nonEmpty
    self.end = query.end?.nonEmpty
    self.offset = query.offset
    self.limit = query.limit
    self.projection = query.projection
    self.nearest = query.nearest
  }

  /// Creates the form of a query that differs from `other`'s only in its values and the document
  /// above its collection.
  ///
  /// - Parameter conditions: the conditions of the filter, which is a conjunction.
  init(_ query: StructuredQuery, _ conditions: Conditions, like other: NormalizedQuery) {
    database = other.database
    source = query.parent.isRoot ? other.source : query.source
    filter = query.filter
    firstDisjunct = Conjunction(other.firstDisjunct.form, conditions)
    otherDisjuncts = []
    inequalityFieldCount = other.inequalityFieldCount
    orders = other.orders
    aggregatedFields = other.aggregatedFields
    start = query.start?.nonEmpty
    end = query.end?.nonEmpty
    offset = query.offset
    limit = query.limit
    projection = query.projection
    nearest = nil
  }
}

extension NormalizedQuery {
  /// The filter as alternatives, each with one entry for each field. Indexes have to find these.
  /// There is at least one, and no two are equal.
  package var disjuncts: [Conjunction] { [firstDisjunct] + otherDisjuncts }

  /// Whether the cursor identifies one document's place among all others. Documents with values
  /// that look alike to an index are sorted by name (§3.6). A cursor without a name is compared
  /// with values alone.
  func isNamed(_ cursor: Cursor) -> Bool { cursor.values.count == orders.count }

  /// Whether all documents after a result are also after the start.
  ///
  /// A start of values alone at a value that an index cuts is no such position. Documents that look
  /// alike are sorted by name there, on either side of the start (§3.6).
  package var startIsPosition: Bool {
    guard let start, !isNamed(start) else { return true }
    return !start.values.contains(where: \.isCutByIndexes)
  }

  /// The common orders by which the branches of a plan are merged (§10): O, and before `__name__`
  /// the aggregated fields that some alternative doesn't fix to one value.
  var mergeOrders: [Order] {
    let added = aggregatedFields.filter { field in
      !orders.contains { $0.field == field }
        && disjuncts.contains { $0.value(of: field) == nil }
    }
    return orders(inserting: added)
  }

  /// Returns O with ascending orders on `fields` before `__name__`.
  func orders(inserting fields: [FieldPath]) -> [Order] {
    var orders = self.orders
    orders.insert(contentsOf: fields.map { Order($0) }, at: orders.count - 1)
    return orders
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

extension Cursor {
  /// The cursor; `nil` if it has no values, because it then restricts nothing (§4.6).
  fileprivate var nonEmpty: Cursor? { values.isEmpty ? nil : self }
}

extension StructuredQuery {
  /// The source of a valid query.
  var source: QuerySource {
    if collectionID.isEmpty { return .everyCollection(below: parent, allDescendants) }
    return allDescendants
      ? .collectionGroup(collectionID, below: parent)
      : .collection(parent.appending(unchecked: collectionID))
  }

  /// Returns O of §4.4.
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
