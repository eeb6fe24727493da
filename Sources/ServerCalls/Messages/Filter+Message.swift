import HearthDocumentModel
import HearthProtocols
import HearthQueryPlanning

extension Filter {
  /// Reads a `Filter` (§4.2).
  ///
  /// - Throws: `invalidArgument` in production's words (§6.1).
  init(_ message: V1.StructuredQuery.Filter) throws(DatabaseError) {
    switch message.filterType {
    case .compositeFilter(let composite):
      var filters: [Filter] = []
      for filter in composite.filters { filters.append(try Filter(filter)) }
      switch composite.op {
      case .and: self = .and(filters)
      case .or: self = .or(filters)
      default:
        throw DatabaseError.invalidArgument("Unsupported CompositeFilter operator.")
      }
    case .fieldFilter(let filter):
      let field = try FieldPath(filter.field.fieldPath)
      guard let comparison = Comparison(filter.op) else {
        throw DatabaseError.invalidArgument("Unknown FieldFilter operator.")
      }
      self = .field(field, comparison, try Value(filter.value))
    case .unaryFilter(let filter):
      guard case .field(let field)? = filter.operandType else {
        throw DatabaseError.invalidArgument("Unsupported UnaryFilter operand type (non-FIELD).")
      }
      let path = try FieldPath(field.fieldPath)
      guard let test = UnaryTest(filter.op) else {
        throw DatabaseError.invalidArgument("Unknown UnaryFilter operator.")
      }
      self = .unary(path, test)
    case nil: throw DatabaseError.invalidArgument("Unknown Filter type.")
    }
  }
}

extension Filter.Comparison {
  fileprivate init?(_ message: V1.StructuredQuery.FieldFilter.Operator) {
    switch message {
    case .lessThan: self = .lessThan
    case .lessThanOrEqual: self = .lessThanOrEqual
    case .greaterThan: self = .greaterThan
    case .greaterThanOrEqual: self = .greaterThanOrEqual
    case .equal: self = .equal
    case .notEqual: self = .notEqual
    case .arrayContains: self = .arrayContains
    case .in: self = .in
    case .arrayContainsAny: self = .arrayContainsAny
    case .notIn: self = .notIn
    case .unspecified, .UNRECOGNIZED: return nil
    }
  }
}

extension Filter.UnaryTest {
  fileprivate init?(_ message: V1.StructuredQuery.UnaryFilter.Operator) {
    switch message {
    case .isNan: self = .isNaN
    case .isNull: self = .isNull
    case .isNotNan: self = .isNotNaN
    case .isNotNull: self = .isNotNull
    case .unspecified, .UNRECOGNIZED: return nil
    }
  }
}
