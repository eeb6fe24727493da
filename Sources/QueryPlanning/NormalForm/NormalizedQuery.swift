package import HearthDocumentModel

/// A valid query in the form for planning and matching (§4.3, §4.4).
///
/// It is the request beside what queries of one shape share. So the form of a query whose shape is
/// known costs no more than a copy of the request.
package final class NormalizedQuery: Sendable {
  /// The parts that no value decides.
  private final class FixedParts: Sendable {
    let database: DatabaseID
    let inequalityFieldCount: Int
    let orders: [Order]
    let aggregatedFields: [FieldPath]

    init(
      database: DatabaseID, inequalityFieldCount: Int, orders: [Order],
      aggregatedFields: [FieldPath]
    ) {
      self.database = database
      self.inequalityFieldCount = inequalityFieldCount
      self.orders = orders
      self.aggregatedFields = aggregatedFields
    }
  }

  package let source: QuerySource
  /// The first alternative of the filter. Most filters have no other.
  let firstDisjunct: Conjunction
  private let otherDisjuncts: [Conjunction]
  private let request: StructuredQuery
  private let fixed: FixedParts

  /// - Throws: `invalidArgument` with production's text for a query that can never run (§4.8).
  package init(
    _ query: StructuredQuery, aggregating aggregatedFields: [FieldPath] = [],
    in database: DatabaseID
  ) throws(DatabaseError) {
    let conditions = query.filter?.conditions ?? []
    let inequalities = Set(conditions.filter(\.isInequality).compactMap(\.field)).sorted()
    let form = try query.validated(
      conditions, inequalityFields: inequalities, aggregating: aggregatedFields, in: database)
    let disjuncts = form.disjuncts.map { Conjunction($0) }.withoutDuplicates
    request = query
    source = query.source
    firstDisjunct = disjuncts[0]
    otherDisjuncts = Array(disjuncts.dropFirst())
    fixed = FixedParts(
      database: database, inequalityFieldCount: inequalities.count,
      orders: try query.normalizedOrders(inequalityFields: inequalities),
      aggregatedFields: Set(aggregatedFields).sorted())
  }

  /// Creates the form of a query that differs from `other`'s only in its values and the document
  /// above its collection.
  ///
  /// - Parameter conditions: the conditions of the filter, which is a conjunction.
  init(_ query: StructuredQuery, _ conditions: Conditions, like other: NormalizedQuery) {
    source = query.parent.isRoot ? other.source : query.source
    firstDisjunct = Conjunction(other.firstDisjunct.form, conditions)
    otherDisjuncts = []
    fixed = other.fixed
    request = query
  }
}

extension NormalizedQuery {
  /// The database of the names in the query and in its errors.
  package var database: DatabaseID { fixed.database }
  /// The filter as the request has it.
  package var filter: Filter? { request.filter }
  /// The number of fields with an inequality anywhere in the filter, `__name__` included.
  var inequalityFieldCount: Int { fixed.inequalityFieldCount }
  /// O of §4.4: the explicit orders, the inequality fields, and `__name__` last.
  package var orders: [Order] { fixed.orders }
  /// A of §5.1: the fields that are added up, sorted.
  package var aggregatedFields: [FieldPath] { fixed.aggregatedFields }
  /// The position in `orders` where results start; `nil` for the first result.
  package var start: Cursor? { request.start?.nonEmpty }
  /// The position in `orders` where results end; `nil` for the last result.
  package var end: Cursor? { request.end?.nonEmpty }
  package var offset: Int { request.offset }
  package var limit: Int? { request.limit }
  package var projection: [FieldPath]? { request.projection }
  package var nearest: NearestNeighbors? { request.nearest }
}

extension NormalizedQuery {
  /// Whether `request` is the request of the query, with the same values.
  package func isFor(_ request: StructuredQuery) -> Bool {
    self.request.isSame(as: request)
  }

  /// The approximate memory that the values of the query take.
  package var valueByteCount: Int { request.valueByteCount }
}

extension NormalizedQuery: Equatable {
  /// Whether the queries ask for the same, however their requests word the orders.
  package static func == (left: NormalizedQuery, right: NormalizedQuery) -> Bool {
    left.database == right.database && left.source == right.source && left.filter == right.filter
      && left.disjuncts == right.disjuncts && left.orders == right.orders
      && left.inequalityFieldCount == right.inequalityFieldCount
      && left.aggregatedFields == right.aggregatedFields && left.hasSameWindow(as: right)
      && left.projection == right.projection && left.nearest == right.nearest
  }

  private func hasSameWindow(as other: NormalizedQuery) -> Bool {
    start == other.start && end == other.end && offset == other.offset && limit == other.limit
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
