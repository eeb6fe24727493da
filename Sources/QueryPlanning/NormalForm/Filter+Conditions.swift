package import HearthDocumentModel

// A condition is a filter without parts: a comparison or a test of one field.
extension Filter {
  /// The deepest nesting of filters.
  static let depthLimit = 100

  /// The field of a condition; `nil` for a filter with parts.
  package var field: FieldPath? {
    switch self {
    case .field(let field, _, _), .unary(let field, _): field
    case .and, .or: nil
    }
  }

  /// Whether the filter is a condition on the document's name.
  package var isOnName: Bool { field?.isDocumentID ?? false }

  /// Whether the condition forces an order on its field (§4.2).
  package var isInequality: Bool {
    switch self {
    case .field(_, let comparison, _): comparison.isInequality
    case .unary(_, let test): test.isInequality
    case .and, .or: false
    }
  }

  /// Whether the condition is a negation. A query may contain only one of these (§4.8).
  var isNegation: Bool {
    switch self {
    case .field(_, let comparison, _): comparison == .notEqual || comparison == .notIn
    case .unary(_, let test): test.isInequality
    case .and, .or: false
    }
  }

  /// The conditions that are equivalent to a list of alternatives, each with one value: a document
  /// must meet one of them. For any other condition, the condition itself.
  var alternatives: [Filter] {
    guard case .field(let field, let comparison, .array(let values)) = self else { return [self] }
    switch comparison {
    case .in: return values.map { .field(field, .equal, $0) }
    case .arrayContainsAny: return values.map { .field(field, .arrayContains, $0) }
    default: return [self]
    }
  }

  /// All conditions of the filter and its parts, in the order of the request.
  ///
  /// It keeps a list of its own instead of recursing, so that no depth of nesting can exhaust the
  /// stack.
  package var conditions: [Filter] {
    var conditions: [Filter] = []
    var pending = [self]
    while let filter = pending.popLast() {
      switch filter {
      case .field, .unary: conditions.append(filter)
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

extension Value {
  /// Whether a comparison with the value matches nothing (§2.4).
  package var equalsNothing: Bool { typeClass == .null || isNaN }
}
