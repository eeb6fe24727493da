package import DocumentModel

/// One test of one field: what a filter consists of once its ANDs are opened.
package enum Condition: Sendable, Equatable {
  case comparison(FieldPath, Filter.Comparison, Value)
  case unary(FieldPath, Filter.UnaryTest)

  package var field: FieldPath {
    switch self {
    case .comparison(let field, _, _), .unary(let field, _): field
    }
  }

  /// Whether the condition forces an order on its field (§4.2).
  package var isInequality: Bool {
    switch self {
    case .comparison(_, let comparison, _): comparison.isInequality
    case .unary: false
    }
  }
}

extension Filter.Comparison {
  /// Whether the comparison selects a range, and so forces an order (§4.2).
  package var isInequality: Bool {
    switch self {
    case .lessThan, .lessThanOrEqual, .greaterThanOrEqual, .greaterThan: true
    case .equal, .arrayContains: false
    }
  }
}

extension Filter {
  /// All conditions in the order of the request, nested ANDs opened.
  ///
  /// It walks with a list of its own, so that no depth of nesting can exhaust the stack.
  package var conditions: [Condition] {
    var conditions: [Condition] = []
    var pending = [self]
    while let filter = pending.popLast() {
      switch filter {
      case .field(let field, let comparison, let value):
        conditions.append(.comparison(field, comparison, value))
      case .unary(let field, let test): conditions.append(.unary(field, test))
      case .and(let filters): pending.append(contentsOf: filters.reversed())
      }
    }
    return conditions
  }
}

extension Value {
  /// Whether a comparison with the value matches nothing (§2.4).
  package var equalsNothing: Bool { typeClass == .null || isNaN }
}
