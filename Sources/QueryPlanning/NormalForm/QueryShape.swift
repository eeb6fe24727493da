package import HearthDocumentModel

/// The properties of a query that decide its plan, for queries whose plans are kept: everything but
/// values.
///
/// Queries of one shape differ in the operands of their conditions, in cursors, offset, limit and
/// projection, and in the document above their collection. Only conjunctions have a shape: a single
/// condition, or several that one `and` joins, none of which compares with a list.
package final class QueryShape: Sendable {
  /// The hash for looking up the shape. Other shapes may have the same.
  package let hash: UInt64
  /// A query of the shape, without values.
  private let pattern: StructuredQuery
  private let normalForm: NormalizedQuery

  /// Creates the shape of a query; `nil` if the query's plan isn't kept.
  ///
  /// - Parameter normalForm: the normal form of `query`.
  package init?(_ query: StructuredQuery, _ normalForm: NormalizedQuery) {
    guard let hash = query.shapeHash(aggregating: normalForm.aggregatedFields) else { return nil }
    self.hash = hash
    pattern = StructuredQuery(
      collectionID: query.collectionID, below: query.parent, allDescendants: query.allDescendants,
      filter: query.filter?.withoutOperands, orders: query.orders)
    self.normalForm = NormalizedQuery(pattern, Conditions(pattern.filter), like: normalForm)
  }

  /// Returns the normal form of a query.
  ///
  /// - Parameter conditions: the query's conditions, from ``conditions(of:aggregating:)``.
  package func normalForm(
    of query: consuming StructuredQuery, _ conditions: Conditions
  ) -> NormalizedQuery {
    NormalizedQuery(query, conditions, like: normalForm)
  }

  /// Whether the query is valid and has the shape, and neither an operand nor a limit of 0 excludes
  /// all documents.
  package func mayMatch(_ query: StructuredQuery) -> Bool {
    guard let conditions = conditions(of: query) else { return false }
    return !Conjunction(normalForm.firstDisjunct.form, conditions).isRefuted
  }

  /// Returns the conditions of a valid query that has the shape; `nil` for a query that is refused,
  /// has another shape, or reads nothing because of a limit of 0.
  package func conditions(
    of query: StructuredQuery, aggregating fields: [FieldPath] = []
  ) -> Conditions? {
    let conditions = Conditions(query.filter)
    guard matches(query, conditions, aggregating: fields) else { return nil }
    do throws(DatabaseError) {
      try validateValues(of: query, conditions)
      return conditions
    } catch {
      return nil
    }
  }

  private func matches(
    _ query: StructuredQuery, _ conditions: Conditions, aggregating fields: [FieldPath]
  ) -> Bool {
    let own = normalForm.firstDisjunct.conditions
    guard pattern.parent.isRoot ? query.parent.isRoot : query.parent.isDocument,
      pattern.allDescendants == query.allDescendants, own.count == conditions.count,
      pattern.collectionID.utf8Equal(query.collectionID), case nil = query.nearest,
      query.limit != 0,
      query.orders.count == pattern.orders.count, fields.count == normalForm.aggregatedFields.count
    else { return false }
    for place in 0..<own.count where !own[place].tests(like: conditions[place]) { return false }
    for index in query.orders.indices where pattern.orders[index] != query.orders[index] {
      return false
    }
    for index in fields.indices where normalForm.aggregatedFields[index] != fields[index] {
      return false
    }
    return true
  }

  /// Checks all that the shape leaves open.
  private func validateValues(
    of query: StructuredQuery, _ conditions: Conditions
  ) throws(DatabaseError) {
    for place in 0..<conditions.count { try conditions[place].validateNesting() }
    for place in normalForm.firstDisjunct.form.namePlaces {
      try conditions[place].validateName(in: normalForm.database)
    }
    try query.start?.validateNesting()
    try query.end?.validateNesting()
    try query.validateWindow(in: normalForm.database)
  }
}

extension StructuredQuery {
  /// Returns a hash that all queries of one shape share; `nil` for a query whose plan isn't kept.
  package func shapeHash(aggregating aggregatedFields: [FieldPath] = []) -> UInt64? {
    guard !collectionID.isEmpty, case nil = nearest else { return nil }
    var hash = ByteHash()
    hash.combine(collectionID)
    switch filter {
    case nil: break
    case .and(let filters)?:
      for filter in filters {
        guard filter.combine(into: &hash) else { return nil }
      }
    case let filter?:
      guard filter.combine(into: &hash) else { return nil }
    }
    for order in orders {
      hash.combine(order.direction == .ascending ? 1 : 2)
      hash.combine(order.field)
    }
    for field in aggregatedFields {
      hash.combine(3)
      hash.combine(field)
    }
    hash.combine((parent.isRoot ? 1 : 2) | (allDescendants ? 4 : 0))
    return hash.value
  }
}

extension Filter {
  /// Adds everything but the operand to `hash`. Returns `false` for a filter that has no place in a
  /// shape.
  fileprivate func combine(into hash: inout ByteHash) -> Bool {
    switch self {
    case .field(let field, let comparison, _):
      guard !comparison.takesList else { return false }
      hash.combine(comparison.code &<< 8)
      hash.combine(field)
      return true
    case .unary(let field, let test):
      hash.combine(test.code &<< 8)
      hash.combine(field)
      return true
    case .and, .or: return false
    }
  }

  /// Whether two conditions differ at most in their operands.
  fileprivate func tests(like other: Filter) -> Bool {
    switch self {
    case .field(let field, let comparison, _):
      guard case .field(field, let other, _) = other else { return false }
      return comparison.code == other.code
    case .unary(let field, let test):
      guard case .unary(field, test) = other else { return false }
      return true
    case .and, .or: return false
    }
  }

  fileprivate var withoutOperands: Filter {
    switch self {
    case .field(let field, let comparison, _): .field(field, comparison, .null)
    case .and(let filters): .and(filters.map(\.withoutOperands))
    case .unary, .or: self
    }
  }
}

// Numbers for tests in hashes, a different one for each test that has a place in a shape.
extension Filter.Comparison {
  fileprivate var code: UInt64 {
    switch self {
    case .lessThan: 1
    case .lessThanOrEqual: 2
    case .equal: 3
    case .notEqual: 4
    case .greaterThanOrEqual: 5
    case .greaterThan: 6
    case .arrayContains: 7
    case .in, .notIn, .arrayContainsAny: 8
    }
  }
}

extension Filter.UnaryTest {
  fileprivate var code: UInt64 {
    switch self {
    case .isNull: 9
    case .isNaN: 10
    case .isNotNull: 11
    case .isNotNaN: 12
    }
  }
}
