import HearthDocumentModel
import HearthQueryPlanning

/// The conditions of a query on a field that they don't fix to one value.
///
/// A comparison with a constraint is true if one of the conditions implies it for every value that
/// the field may have. Otherwise it is unknown.
struct Constraint: Sendable {
  let conditions: [Filter]

  /// Whether the field surely compares so with `value`.
  func implies(_ comparison: Filter.Comparison, _ value: RulesValue) -> Bool {
    conditions.contains { $0.implies(comparison, value) }
  }

  /// Whether the field is surely a list with an element equal to `value`.
  func contains(_ value: RulesValue) -> Bool {
    conditions.contains { condition in
      guard case .field(_, .arrayContains, let operand) = condition else { return false }
      return RulesValue(operand).surelyEquals(value)
    }
  }
}

extension RulesValue {
  fileprivate func surelyEquals(_ other: RulesValue) -> Bool {
    (try? equals(other)) == true
  }
}

extension Filter {
  /// Whether every value that meets this condition compares with `value` so.
  fileprivate func implies(_ comparison: Comparison, _ value: RulesValue) -> Bool {
    switch self {
    case .unary(_, let test):
      return comparison == .notEqual && test.excludes(value)
    case .field(_, .equal, let operand):
      return comparison == .equal && !operand.equalsNothing
        && RulesValue(operand).surelyEquals(value)
        || Comparison.bounded(comparison, RulesValue(operand), value, isInclusive: true)
        || comparison == .notEqual && RulesValue(operand).surelyDiffers(from: value)
    case .field(_, .notEqual, let operand):
      return comparison == .notEqual && [operand].exclude(value)
    case .field(_, .notIn, .array(let operands)):
      return comparison == .notEqual && operands.exclude(value)
    case .field(_, .arrayContains, _):
      return comparison == .notEqual && value.type == .null
    case .field(_, let bound, let operand) where bound.isInequality:
      return bound.implies(comparison, RulesValue(operand), value)
    case .field, .and, .or: return false
    }
  }
}

extension RulesValue {
  fileprivate func surelyDiffers(from other: RulesValue) -> Bool {
    (try? equals(other)) == false
  }
}

extension [Value] {
  /// Whether a field that differs from all of the values differs from `value`. Such a field is
  /// never null.
  fileprivate func exclude(_ value: RulesValue) -> Bool {
    value.type == .null || contains { RulesValue($0).surelyEquals(value) }
  }
}

extension Filter.UnaryTest {
  fileprivate func excludes(_ value: RulesValue) -> Bool {
    switch self {
    case .isNotNull, .isNotNaN: value.type == .null
    case .isNull: value.type != .null
    case .isNaN: value.type == .null
    }
  }
}

extension Filter.Comparison {
  /// Whether a field on this side of `bound` surely compares with `value` as `comparison` says.
  fileprivate func implies(
    _ comparison: Filter.Comparison, _ bound: RulesValue, _ value: RulesValue
  ) -> Bool {
    let isInclusive = self == .lessThanOrEqual || self == .greaterThanOrEqual
    if comparison == .notEqual {
      if value.type == .null { return true }
      let outside: Filter.Comparison = isUpper ? .lessThan : .greaterThan
      return Self.bounded(outside, bound, value, isInclusive: isInclusive)
    }
    guard comparison.isRange, isUpper == comparison.isUpper else { return false }
    return Self.bounded(comparison, bound, value, isInclusive: isInclusive)
  }

  private var isUpper: Bool { self == .lessThan || self == .lessThanOrEqual }

  private var isRange: Bool {
    switch self {
    case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual: true
    default: false
    }
  }

  /// Whether all values on the side of `bound` that `comparison` names, and `bound` itself if
  /// `isInclusive`, compare with `value` so.
  fileprivate static func bounded(
    _ comparison: Filter.Comparison, _ bound: RulesValue, _ value: RulesValue, isInclusive: Bool
  ) -> Bool {
    guard comparison.isRange, let order = bound.boundOrder(value, isUpper: comparison.isUpper)
    else { return false }
    switch order {
    case .equal:
      let isStrict = comparison == .lessThan || comparison == .greaterThan
      return !isStrict || !isInclusive && value.isPlainBound
    case .less: return comparison.isUpper
    case .greater: return !comparison.isUpper
    }
  }
}

extension RulesValue {
  /// The order of a query's bound and a value of a rule, if all values beyond the bound compare
  /// with the value as the bound does; `nil` otherwise.
  fileprivate func boundOrder(_ value: RulesValue, isUpper: Bool) -> Ordering? {
    switch (self, value) {
    case (.int(let left), .int(let right)): Ordering(left, right)
    case (.int(let left), .float(let right)) where !right.isNaN: Ordering(Double(left), right)
    case (.float(let left), .float(let right)) where !left.isNaN && !right.isNaN:
      Ordering(left, right)
    case (.timestamp(let left), .timestamp(let right)): Ordering(left, right)
    case (.bytes(let left), .bytes(let right)): left.byteCompare(right)
    case (.string(let left), .string(let right)) where right.isOrderedAlike(isUpper: isUpper):
      left.utf8Compare(right)
    default: nil
    }
  }

  /// Whether numbers near the value are exact as floats.
  fileprivate var isPlainBound: Bool {
    switch self {
    case .int(let value): value.magnitude < 1 << 53
    case .float(let value): value.magnitude < 0x1p53
    default: true
    }
  }
}

extension String {
  /// Whether all strings on one side of this one by code points are so by UTF-16 units.
  ///
  /// Queries compare code points and rules compare units. They differ only where one string has a
  /// character of two units and the other one from U+E000 to U+FFFF.
  fileprivate func isOrderedAlike(isUpper: Bool) -> Bool {
    unicodeScalars.allSatisfy { $0.value < 0xE000 || isUpper == ($0.value < 0x1_0000) }
  }
}
