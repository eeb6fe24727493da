package import DocumentModel

/// One test of one field. The disjuncts of a filter consist of conditions, in which lists of
/// alternatives are expanded already.
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
    case .unary(_, let test): test.isInequality
    }
  }

  /// Whether the condition is a negation. A query may contain only one of these (§4.8).
  var isNegation: Bool {
    switch self {
    case .comparison(_, let comparison, _): comparison == .notEqual || comparison == .notIn
    case .unary(_, let test): test.isInequality
    }
  }

  /// The conditions that are equivalent to a list of alternatives, each with one value: a document
  /// must meet one of them. For any other condition, the condition itself.
  var alternatives: [Condition] {
    guard case .comparison(let field, let comparison, .array(let values)) = self else {
      return [self]
    }
    switch comparison {
    case .in: return values.map { .comparison(field, .equal, $0) }
    case .arrayContainsAny: return values.map { .comparison(field, .arrayContains, $0) }
    default: return [self]
    }
  }
}

extension Filter.Comparison {
  /// Whether the comparison selects ranges, and so forces an order (§4.2).
  package var isInequality: Bool {
    switch self {
    case .lessThan, .lessThanOrEqual, .greaterThanOrEqual, .greaterThan, .notEqual, .notIn: true
    case .equal, .in, .arrayContains, .arrayContainsAny: false
    }
  }

  /// Whether the operand is a list.
  package var takesList: Bool {
    switch self {
    case .in, .notIn, .arrayContainsAny: true
    default: false
    }
  }
}

extension Filter.UnaryTest {
  package var isInequality: Bool { self == .isNotNull || self == .isNotNaN }
}

extension Filter {
  /// The deepest nesting of filters.
  static let depthLimit = 100

  /// All conditions of the filter and its parts, in the order of the request.
  ///
  /// It keeps a list of its own instead of recursing, so that no depth of nesting can exhaust the
  /// stack.
  package var conditions: [Condition] {
    var conditions: [Condition] = []
    var pending = [self]
    while let filter = pending.popLast() {
      switch filter {
      case .field(let field, let comparison, let value):
        conditions.append(.comparison(field, comparison, value))
      case .unary(let field, let test): conditions.append(.unary(field, test))
      case .and(let filters), .or(let filters): pending.append(contentsOf: filters.reversed())
      }
    }
    return conditions
  }

  /// Whether filters are nested deeper than the limit.
  var isNestedTooDeep: Bool {
    var pending = [(filter: self, depth: 1)]
    while let (filter, depth) = pending.popLast() {
      if depth > Filter.depthLimit { return true }
      switch filter {
      case .field, .unary: break
      case .and(let filters), .or(let filters): pending += filters.map { ($0, depth + 1) }
      }
    }
    return false
  }
}

extension Value {
  /// Whether a comparison with the value matches nothing (§2.4).
  package var equalsNothing: Bool { typeClass == .null || isNaN }
}
