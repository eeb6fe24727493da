import HearthDocumentModel

/// The conditions of a conjunction, in the order of the request. A filter that is a conjunction
/// already gives them without a list of their own.
package struct Conditions: Sendable {
  private let single: Filter?
  private let joined: [Filter]

  /// - Parameter filter: a condition, conditions that one `and` joins, or no filter.
  init(_ filter: Filter?) {
    if case .and(let filters)? = filter {
      (single, joined) = (nil, filters)
    } else {
      (single, joined) = (filter, [])
    }
  }

  init(_ conditions: [Filter]) {
    (single, joined) = (nil, conditions)
  }

  var count: Int { single == nil ? joined.count : 1 }

  subscript(place: Int) -> Filter { single ?? joined[place] }
}

// Operands.
extension Filter {
  /// The value to which an equality fixes its field, or the element that an array must contain.
  var operand: Value {
    switch self {
    case .field(_, _, let value): value
    case .unary(_, .isNaN): .double(.nan)
    default: .null
    }
  }

  /// Whether no value meets the condition, because of its operand (§2.4). A null among the operands
  /// of a negation excludes everything, a NaN nothing.
  var matchesNothing: Bool {
    switch self {
    case .field(_, .notEqual, let value): value.typeClass == .null
    case .field(_, .notIn, .array(let values)): values.contains { $0.typeClass == .null }
    case .field(_, _, let value): value.equalsNothing
    case .unary, .and, .or: false
    }
  }

  /// The values that an inequality allows its field, or that a condition on names allows.
  var ranges: [ValueRange] {
    switch self {
    case .field(_, .equal, let value): [.point(value)]
    case .field(let field, .notEqual, let value):
      ValueRange.others(than: value.equalsNothing ? [] : [value], in: field.comparedClasses)
    case .field(let field, .notIn, .array(let values)):
      ValueRange.others(than: values.filter { !$0.equalsNothing }, in: field.comparedClasses)
    case .field(_, let comparison, let value): ValueRange(comparison, value).map { [$0] } ?? []
    case .unary(_, .isNotNull): ValueRange.notNull
    case .unary(_, .isNotNaN): ValueRange.notNullOrNaN
    case .unary, .and, .or: []
    }
  }
}

extension FieldPath {
  /// The classes of the values that negations select.
  fileprivate var comparedClasses: ClosedRange<Value.TypeClass> {
    isDocumentID ? .reference ... .reference : .boolean ... .map
  }
}
