import HearthDocumentModel
import HearthQueryPlanning
import TestSupport

/// A generator of sets of few indexes over few fields, so that some are redundant, and of the
/// queries that may need them.
struct RedundancyGenerator {
  private static let names = ["a", "b", "c"].map { FieldPath(unchecked: [$0]) }
  private static let tags = FieldPath(unchecked: ["tags"])
  private static let vector = VectorColumn(FieldPath(unchecked: ["v"]), dimension: 2)

  func indexes(using random: inout SplitMix64) -> IndexSet {
    var indexes = IndexSet()
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      let definition = definition(using: &random)
      guard definition.singleField == nil, definition.columns.count > 1 else { continue }
      indexes.add(definition, state: random.oneIn(10) ? .creating : .ready)
    }
    if random.oneIn(4) {
      let field = random.pick(RedundancyGenerator.names + [RedundancyGenerator.tags])
      var modes: [SingleFieldIndex: IndexState] = [:]
      for index in SingleFieldIndex.all where random.oneIn(2) { modes[index] = .ready }
      indexes.overrides.append(FieldOverride("c", field, modes))
    }
    return indexes
  }

  private func definition(using random: inout SplitMix64) -> IndexDefinition {
    let fields = RedundancyGenerator.names.shuffled(using: &random)
    var columns = fields.prefix(Int.random(in: 1...3, using: &random)).map {
      IndexColumn($0, random.oneIn(3) ? .descending : .ascending)
    }
    if random.oneIn(2) {
      columns.insert(
        IndexColumn(RedundancyGenerator.tags, .contains),
        at: Int.random(in: 0...columns.count, using: &random))
    }
    if random.oneIn(8) { columns.append(IndexColumn(.documentID, .descending)) }
    return IndexDefinition(
      "c", columns, scope: random.pick(QueryScope.allCases),
      vector: random.oneIn(8) ? RedundancyGenerator.vector : nil)
  }

  /// Returns a query that the index serves for a split of its columns (§5.3): the first ones are
  /// equated, the others sorted by. `nil` for a split that serves no query.
  func query(
    for index: IndexDefinition, fixing count: Int, scope: QueryScope
  ) -> StructuredQuery? {
    let orders = index.columns[count...].compactMap { column -> Order? in
      switch column.mode {
      case .ascending: Order(column.field, .ascending)
      case .descending: Order(column.field, .descending)
      case .contains: nil
      }
    }
    guard orders.count == index.columns.count - count else { return nil }
    let filters = index.columns[..<count].map { column in
      Filter.field(column.field, column.mode == .contains ? .arrayContains : .equal, 1)
    }
    var query = StructuredQuery(collectionID: index.collectionGroup)
    query.allDescendants = scope == .collectionGroup
    query.filter = filters.isEmpty ? nil : .and(filters)
    query.orders = orders
    query.nearest = index.vector.map { vector in
      NearestNeighbors(vector.field, to: [1, 0], by: .euclidean, limit: 1)
    }
    return query
  }

  /// Returns a query in which the index may take part: with more equalities than its own, and more
  /// orders.
  func query(for index: IndexDefinition, using random: inout SplitMix64) -> StructuredQuery? {
    let count = Int.random(in: 0..<index.columns.count, using: &random)
    guard
      var query = query(for: index, fixing: count, scope: random.pick(QueryScope.allCases))
    else { return nil }
    var filters = Conditions.list(of: query.filter)
    for order in query.orders where !order.field.isDocumentID {
      guard random.oneIn(3) else { break }
      filters.append(.field(order.field, .equal, 1))
    }
    for field in RedundancyGenerator.names where random.oneIn(4) {
      filters.append(.field(field, .equal, 1))
    }
    if random.oneIn(4), !filters.contains(where: { $0.isContains }) {
      filters.append(.field(RedundancyGenerator.tags, .arrayContains, 1))
    }
    for field in RedundancyGenerator.names.shuffled(using: &random)
    where random.oneIn(4) && !query.orders.contains(where: { $0.field == field }) {
      let order = Order(field, random.oneIn(2) ? .ascending : .descending)
      query.orders.insert(
        order, at: Int.random(in: 0...max(query.orders.count - 1, 0), using: &random))
    }
    query.filter = filters.isEmpty ? nil : .and(filters)
    return query
  }
}

private enum Conditions {
  static func list(of filter: Filter?) -> [Filter] {
    if case .and(let filters)? = filter { filters } else { [] }
  }
}

extension Filter {
  fileprivate var isContains: Bool {
    if case .field(_, .arrayContains, _) = self { true } else { false }
  }
}
