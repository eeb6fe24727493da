import HearthDocumentModel
import HearthQueryPlanning

/// The operators `<`, `<=`, `>` and `>=`, and all comparisons with constraints.
enum Comparisons {
  static func compare(
    _ operation: ComparisonOperator, _ left: RulesValue, _ right: RulesValue
  ) throws(RulesError) -> Bool {
    if case .constraint(let constraint) = left {
      return try compare(constraint, operation.filter, right)
    }
    if case .constraint(let constraint) = right {
      return try compare(constraint, operation.mirrored.filter, left)
    }
    // Nothing compares with NaN.
    if left.isNaN || right.isNaN, left.isNumber, right.isNumber { return false }
    guard let order = order(left, right) else {
      let name = operation.rawValue
      let types = ["string", "bytes", "int", "float", "duration", "timestamp"]
      throw .unsupported(
        received: "\(left.type.rawValue) \(name) \(right.type.rawValue)",
        expected: types.map { "\($0) \(name) \($0)" }.joined(separator: ", ")
          + ", constraint \(name) any, any \(name) constraint")
    }
    return operation.holds(for: order)
  }

  /// Returns whether a field with this constraint surely compares so with `value`.
  ///
  /// - Throws: `unknown` if it may not.
  static func compare(
    _ constraint: Constraint, _ comparison: Filter.Comparison, _ value: RulesValue
  ) throws(RulesError) -> Bool {
    if case .constraint = value { throw .type(.constraint, expected: comparableTypes) }
    guard constraint.implies(comparison, value) else { throw .unknown }
    return true
  }

  private static let comparableTypes =
    "bool,duration,float,int,latlng,map,null,string,bytes,timestamp,path,list,vector,set"

  private static func order(_ left: RulesValue, _ right: RulesValue) -> Ordering? {
    switch (left, right) {
    case (.int(let left), .int(let right)): Ordering(left, right)
    case (.float(let left), .float(let right)): Ordering(left, right)
    case (.int(let left), .float(let right)): Ordering(Double(left), right)
    case (.float(let left), .int(let right)): Ordering(left, Double(right))
    case (.string(let left), .string(let right)): left.utf16Compare(right)
    case (.bytes(let left), .bytes(let right)): left.byteCompare(right)
    case (.duration(let left), .duration(let right)): Ordering(left, right)
    case (.timestamp(let left), .timestamp(let right)): Ordering(left, right)
    default: nil
    }
  }
}

extension ComparisonOperator {
  /// The operator with its sides exchanged.
  fileprivate var mirrored: ComparisonOperator {
    switch self {
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    }
  }

  fileprivate var filter: Filter.Comparison {
    switch self {
    case .less: .lessThan
    case .lessOrEqual: .lessThanOrEqual
    case .greater: .greaterThan
    case .greaterOrEqual: .greaterThanOrEqual
    }
  }

  fileprivate func holds(for order: Ordering) -> Bool {
    switch self {
    case .less: order == .less
    case .lessOrEqual: order != .greater
    case .greater: order == .greater
    case .greaterOrEqual: order != .less
    }
  }
}

extension RulesValue {
  fileprivate var isNaN: Bool {
    if case .float(let value) = self { value.isNaN } else { false }
  }

  fileprivate var isNumber: Bool {
    switch self {
    case .int, .float: true
    default: false
    }
  }
}

extension String {
  /// Compares the UTF-16 units.
  fileprivate func utf16Compare(_ other: String) -> Ordering {
    if utf8Equal(other) { return .equal }
    return utf16.lexicographicallyPrecedes(other.utf16) ? .less : .greater
  }
}
