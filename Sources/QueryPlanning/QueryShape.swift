package import DocumentModel

/// The properties of a query that decide its plan, for queries whose plans are prepared: everything
/// but values.
///
/// Queries of one shape differ in the operands of their conditions, in cursors, offset, limit and
/// projection, and in the document above their collection. Only conjunctions have a shape: a single
/// condition, or several that one `and` joins.
struct QueryShape: Sendable {
  /// A condition without its operand.
  struct Test: Sendable {
    let field: FieldPath
    let kind: TestKind
  }

  /// The hash for looking up the shape. Other shapes may have the same.
  let hash: UInt64
  let tests: [Test]
  private let collectionID: String
  private let allDescendants: Bool
  private let isAtRoot: Bool
  private let orders: [Order]
  private let aggregatedFields: [FieldPath]

  /// Creates the shape of a query; `nil` if the query's plan isn't prepared.
  init?(_ query: StructuredQuery, aggregating aggregatedFields: [FieldPath]) {
    guard let hash = query.shapeHash(aggregating: aggregatedFields) else { return nil }
    self.hash = hash
    collectionID = query.collectionID
    allDescendants = query.allDescendants
    isAtRoot = query.parent.isRoot
    orders = query.orders
    self.aggregatedFields = aggregatedFields
    let conditions = Conditions(query.filter)
    tests = (0..<conditions.count).map { conditions[$0].test }
  }

  func matches(
    _ query: StructuredQuery, _ conditions: Conditions, aggregating fields: [FieldPath]
  ) -> Bool {
    guard isAtRoot == query.parent.isRoot, allDescendants == query.allDescendants,
      collectionID.utf8Equal(query.collectionID), tests.count == conditions.count,
      query.orders.count == orders.count, fields.count == aggregatedFields.count
    else { return false }
    for index in tests.indices where !conditions[index].is(tests[index]) { return false }
    for index in orders.indices where orders[index] != query.orders[index] { return false }
    for index in fields.indices where aggregatedFields[index] != fields[index] { return false }
    return true
  }
}

/// The kind of a condition's test.
enum TestKind: UInt8, Sendable {
  case lessThan = 1
  case lessThanOrEqual, equal, notEqual, greaterThanOrEqual, greaterThan, arrayContains
  case isNull, isNaN, isNotNull, isNotNaN

  /// Creates the kind of a comparison; `nil` for a comparison with a list, whose plan depends on
  /// the list's values.
  init?(_ comparison: Filter.Comparison) {
    switch comparison {
    case .lessThan: self = .lessThan
    case .lessThanOrEqual: self = .lessThanOrEqual
    case .equal: self = .equal
    case .notEqual: self = .notEqual
    case .greaterThanOrEqual: self = .greaterThanOrEqual
    case .greaterThan: self = .greaterThan
    case .arrayContains: self = .arrayContains
    case .arrayContainsAny, .in, .notIn: return nil
    }
  }

  init(_ test: Filter.UnaryTest) {
    switch test {
    case .isNull: self = .isNull
    case .isNaN: self = .isNaN
    case .isNotNull: self = .isNotNull
    case .isNotNaN: self = .isNotNaN
    }
  }

  /// Whether the test fixes the field to one value.
  var isEquality: Bool {
    switch self {
    case .equal, .isNull, .isNaN: true
    default: false
    }
  }
}

/// The conditions of a filter that is a conjunction, without allocating a list.
struct Conditions {
  private let single: Filter?
  private let joined: [Filter]

  init(_ filter: Filter?) {
    if case .and(let filters)? = filter {
      (single, joined) = (nil, filters)
    } else {
      (single, joined) = (filter, [])
    }
  }

  var count: Int { single == nil ? joined.count : 1 }

  subscript(index: Int) -> Filter { single ?? joined[index] }
}

extension Filter {
  /// The test of a condition that has a shape.
  fileprivate var test: QueryShape.Test {
    switch self {
    case .field(let field, let comparison, _):
      guard let kind = TestKind(comparison) else { break }
      return QueryShape.Test(field: field, kind: kind)
    case .unary(let field, let test): return QueryShape.Test(field: field, kind: TestKind(test))
    case .and, .or: break
    }
    preconditionFailure("\(self) has no shape")
  }

  fileprivate func `is`(_ test: QueryShape.Test) -> Bool {
    switch self {
    case .field(let field, let comparison, _):
      TestKind(comparison) == test.kind && field == test.field
    case .unary(let field, let unary): TestKind(unary) == test.kind && field == test.field
    case .and, .or: false
    }
  }
}

extension StructuredQuery {
  /// Returns a hash that all queries of one shape share; `nil` for a query whose plan isn't
  /// prepared.
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
      guard let kind = TestKind(comparison) else { return false }
      hash.combine(UInt64(kind.rawValue) &<< 8)
      hash.combine(field)
      return true
    case .unary(let field, let test):
      hash.combine(UInt64(TestKind(test).rawValue) &<< 8)
      hash.combine(field)
      return true
    case .and, .or: return false
    }
  }
}
