package import HearthDocumentModel

/// The meaning of a query without any index: the documents that it selects, and their order.
///
/// It follows the filter as the request has it (§2.4, §2.5), the existence of every sorted field
/// (§4.5), and the cursors (§4.6). Plans must give the same results.
package struct QueryMatcher: Sendable {
  package let query: NormalizedQuery

  package init(_ query: NormalizedQuery) {
    self.query = query
  }

  /// Whether the query selects the document, regardless of cursors, offset and limit.
  package func matches(_ document: Document) -> Bool {
    query.source.contains(document.path)
      && (query.filter?.matches(document) ?? true)
      && query.requiredFields.allSatisfy { document[$0] != nil }
      && (query.nearest?.finds(document) ?? true)
  }

  /// Compares two results by the query's orders, as an index sees values (§3.6).
  package func compare(_ left: Document, _ right: Document) -> Ordering {
    compare(left, right, by: query.orders)
  }

  private func compare(
    _ left: Document, _ right: Document, by orders: [Order]
  ) -> Ordering {
    for order in orders {
      let place: Ordering
      if order.field.isDocumentID {
        place = left.path.compare(right.path)
      } else if let leftValue = left[order.field], let rightValue = right[order.field] {
        place = leftValue.compareAsIndexed(rightValue)
      } else {
        continue
      }
      if place != .equal { return order.direction == .ascending ? place : place.reversed }
    }
    return .equal
  }

  /// Whether the document lies between the query's cursors.
  package func isBetweenCursors(_ document: Document) -> Bool {
    if let start = query.start {
      switch place(of: document, at: start) {
      case .less: return false
      case .equal where !start.isBefore: return false
      case .equal, .greater: break
      }
    }
    guard let end = query.end else { return true }
    switch place(of: document, at: end) {
    case .less: return true
    case .equal: return !end.isBefore
    case .greater: return false
    }
  }

  /// Returns the results among `documents`, in order. For a query for the nearest vectors, they are
  /// the documents that `nearest(on:)` chooses from.
  ///
  /// - Complexity: looks at every document, and sorts those that match.
  package func run(on documents: [Document]) -> [Document] {
    run(on: documents, by: query.orders)
  }

  /// - Parameter orders: the query's own orders, possibly with more of them.
  package func run(on documents: [Document], by orders: [Order]) -> [Document] {
    let results = documents.filter { matches($0) && isBetweenCursors($0) }
      .sorted { compare($0, $1, by: orders) == .less }
      .dropFirst(query.offset)
    return Array(results.prefix(query.limit ?? .max))
  }

  /// Compares the document with the values of the cursor, in the query's direction.
  private func place(of document: Document, at cursor: Cursor) -> Ordering {
    let isNamed = query.isNamed(cursor)
    for (order, value) in zip(query.orders, cursor.values) {
      let place: Ordering
      if order.field.isDocumentID, case .reference(let name) = value {
        place = document.path.compare(name.path)
      } else if let own = document[order.field] {
        place = isNamed ? own.compareAsIndexed(value) : own.compare(value)
      } else {
        continue
      }
      if place != .equal { return order.direction == .ascending ? place : place.reversed }
    }
    return .equal
  }
}

extension NormalizedQuery {
  /// The fields that a document must have to be sorted (§4.5) and added up (§9.1).
  fileprivate var requiredFields: [FieldPath] {
    orders.map(\.field).filter { !$0.isDocumentID } + aggregatedFields
  }
}

extension Filter {
  /// Whether the document meets the filter (§2.4, §2.5). A missing field meets no condition.
  fileprivate func matches(_ document: Document) -> Bool {
    switch self {
    case .and(let filters): filters.allSatisfy { $0.matches(document) }
    case .or(let filters): filters.contains { $0.matches(document) }
    case .unary(let field, let test): document[field].map { test.matches($0) } ?? false
    case .field(.documentID, let comparison, let operand):
      comparison.matches(name: document.path, operand)
    case .field(let field, let comparison, let operand):
      document[field].map { comparison.matches($0, operand) } ?? false
    }
  }
}

extension Filter.UnaryTest {
  fileprivate func matches(_ value: Value) -> Bool {
    switch self {
    case .isNull: value.typeClass == .null
    case .isNaN: value.isNaN
    case .isNotNull: value.typeClass != .null
    case .isNotNaN: value.typeClass != .null && !value.isNaN
    }
  }
}

extension Filter.Comparison {
  fileprivate func matches(_ value: Value, _ operand: Value) -> Bool {
    switch self {
    case .equal: value.equals(operand)
    case .in: operand.elements.contains { value.equals($0) }
    case .notEqual: value.differs(from: [operand])
    case .notIn: value.differs(from: operand.elements)
    case .arrayContains: value.elements.contains { $0.equals(operand) }
    case .arrayContainsAny:
      value.elements.contains { element in operand.elements.contains { element.equals($0) } }
    case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual:
      value.typeClass == operand.typeClass && !value.isNaN && !operand.equalsNothing
        && matches(value.compare(operand))
    }
  }

  fileprivate func matches(name: ResourcePath, _ operand: Value) -> Bool {
    switch self {
    case .in: operand.elements.contains { matches(name.order(to: $0)) }
    case .notIn: operand.elements.allSatisfy { matches(name.order(to: $0)) }
    default: matches(name.order(to: operand))
    }
  }

  /// Whether the comparison holds for values of this order. For a list, it is the order to one of
  /// its values.
  private func matches(_ order: Ordering?) -> Bool {
    switch self {
    case .lessThan: order == .less
    case .lessThanOrEqual: order == .less || order == .equal
    case .equal, .in: order == .equal
    case .notEqual, .notIn: order == .less || order == .greater
    case .greaterThanOrEqual: order == .greater || order == .equal
    case .greaterThan: order == .greater
    case .arrayContains, .arrayContainsAny: false
    }
  }
}

extension ResourcePath {
  fileprivate func order(to value: Value) -> Ordering? {
    guard case .reference(let name) = value else { return nil }
    return compare(name.path)
  }
}

extension Value {
  fileprivate var elements: [Value] {
    if case .array(let elements) = self { elements } else { [] }
  }

  /// Whether the values are equal in filters: null and NaN equal nothing (§2.4).
  fileprivate func equals(_ operand: Value) -> Bool {
    !operand.equalsNothing && compare(operand) == .equal
  }

  /// Whether the value differs from all operands. A null among the operands excludes everything, a
  /// NaN nothing (§2.4).
  fileprivate func differs(from operands: [Value]) -> Bool {
    typeClass != .null
      && operands.allSatisfy { $0.typeClass != .null && !equals($0) }
  }
}
