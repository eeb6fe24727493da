package import DocumentModel

/// What a query means, without any index: which documents it selects and how it sorts them.
///
/// It reads the conditions as they were asked (§2.4, §2.5), the existence of every sorted field
/// (§4.5), and the cursors (§4.6). Plans must give the same results.
package struct QueryMatcher: Sendable {
  private let query: NormalizedQuery

  package init(_ query: NormalizedQuery) {
    self.query = query
  }

  /// Whether the query selects the document, cursors, offset and limit apart.
  package func matches(_ document: Document) -> Bool {
    query.source.contains(document.path)
      && query.conditions.allSatisfy { $0.matches(document) }
      && query.orders.allSatisfy { $0.field.isDocumentID || document[$0.field] != nil }
  }

  /// The order of two results: by the query's orders, as an index sees values (§3.6).
  package func compare(_ left: Document, _ right: Document) -> Ordering {
    for order in query.orders {
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

  /// The results among `documents`, in order.
  ///
  /// - Complexity: looks at every document, and sorts those that match.
  package func run(on documents: [Document]) -> [Document] {
    let results = documents.filter { matches($0) && isBetweenCursors($0) }
      .sorted { compare($0, $1) == .less }
      .dropFirst(query.offset)
    return Array(results.prefix(query.limit ?? .max))
  }

  /// Where the document stands among the values of the cursor, in the query's direction.
  private func place(of document: Document, at cursor: Cursor) -> Ordering {
    for (order, value) in zip(query.orders, cursor.values) {
      let place: Ordering
      if order.field.isDocumentID, case .reference(let name) = value {
        place = document.path.compare(name.path)
      } else if let own = document[order.field] {
        place = own.compareAsIndexed(value)
      } else {
        continue
      }
      if place != .equal { return order.direction == .ascending ? place : place.reversed }
    }
    return .equal
  }
}

extension Condition {
  /// Whether the document meets the condition (§2.4, §2.5). A missing field meets none.
  fileprivate func matches(_ document: Document) -> Bool {
    switch self {
    case .unary(let field, .isNull): document[field]?.typeClass == .null
    case .unary(let field, .isNaN): document[field]?.isNaN ?? false
    case .comparison(let field, let comparison, let operand):
      if field.isDocumentID {
        comparison.matches(name: document.path, operand)
      } else if let value = document[field] {
        comparison.matches(value, operand)
      } else {
        false
      }
    }
  }
}

extension Filter.Comparison {
  fileprivate func matches(_ value: Value, _ operand: Value) -> Bool {
    guard !operand.equalsNothing else { return false }
    if self == .arrayContains {
      guard case .array(let elements) = value else { return false }
      return elements.contains { $0.compare(operand) == .equal }
    }
    guard value.typeClass == operand.typeClass, !value.isNaN else { return false }
    return matches(value.compare(operand))
  }

  fileprivate func matches(name: ResourcePath, _ operand: Value) -> Bool {
    guard case .reference(let other) = operand else { return false }
    return matches(name.compare(other.path))
  }

  private func matches(_ order: Ordering) -> Bool {
    switch self {
    case .lessThan: order == .less
    case .lessThanOrEqual: order != .greater
    case .equal: order == .equal
    case .greaterThanOrEqual: order != .less
    case .greaterThan: order == .greater
    case .arrayContains: false
    }
  }
}
