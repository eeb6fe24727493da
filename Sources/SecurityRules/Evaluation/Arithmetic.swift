/// The operators on numbers, texts and times.
enum Arithmetic {
  static func negated(_ value: RulesValue) throws(RulesError) -> RulesValue {
    switch value {
    case .int(let number):
      guard number != .min else { throw .overflow }
      return .int(-number)
    case .float(let number): return .float(-number)
    case .duration(let duration): return .duration(try duration.negated())
    default:
      throw .unsupported(
        received: "-\(value.type.rawValue)", expected: "-int, -float, -duration")
    }
  }

  static func apply(
    _ operation: ArithmeticOperator, _ left: RulesValue, _ right: RulesValue
  ) throws(RulesError) -> RulesValue {
    switch (left, right) {
    case (.int(let left), .int(let right)): return .int(try integers(operation, left, right))
    case (.int(let left), .float(let right)): return .float(floats(operation, Double(left), right))
    case (.float(let left), .int(let right)): return .float(floats(operation, left, Double(right)))
    case (.float(let left), .float(let right)): return .float(floats(operation, left, right))
    default: break
    }
    if operation == .plus || operation == .minus,
      let value = try others(left, right, isSum: operation == .plus)
    {
      return value
    }
    let name = operation.rawValue
    throw .unsupported(
      received: "\(left.type.rawValue) \(name) \(right.type.rawValue)",
      expected: operation.forms.map { "\($0.0) \(name) \($0.1)" }.joined(separator: ", "))
  }

  private static func integers(
    _ operation: ArithmeticOperator, _ left: Int64, _ right: Int64
  ) throws(RulesError) -> Int64 {
    let (result, overflow) =
      switch operation {
      case .plus: left.addingReportingOverflow(right)
      case .minus: left.subtractingReportingOverflow(right)
      case .times: left.multipliedReportingOverflow(by: right)
      case .divided: try divided(left, right)
      case .modulo: try remainder(left, right)
      }
    if overflow { throw .overflow }
    return result
  }

  // The least integer divided by -1 is itself, and leaves nothing.
  private static func divided(
    _ left: Int64, _ right: Int64
  ) throws(RulesError) -> (Int64, Bool) {
    guard right != 0 else { throw .divisionByZero }
    return (left.dividedReportingOverflow(by: right).partialValue, false)
  }

  private static func remainder(
    _ left: Int64, _ right: Int64
  ) throws(RulesError) -> (Int64, Bool) {
    guard right != 0 else { throw .divisionByZero }
    return (left.remainderReportingOverflow(dividingBy: right).partialValue, false)
  }

  private static func floats(
    _ operation: ArithmeticOperator, _ left: Double, _ right: Double
  ) -> Double {
    switch operation {
    case .plus: left + right
    case .minus: left - right
    case .times: left * right
    case .divided: left / right
    case .modulo: left.truncatingRemainder(dividingBy: right)
    }
  }

  /// Returns the sum or difference of values that are no numbers; `nil` if there is none.
  private static func others(
    _ left: RulesValue, _ right: RulesValue, isSum: Bool
  ) throws(RulesError) -> RulesValue? {
    switch (left, right) {
    case (.string(let left), .string(let right)) where isSum: return .string(left + right)
    case (.duration(let left), .duration(let right)):
      return .duration(try left.adding(isSum ? right : try right.negated()))
    case (.timestamp(let left), .duration(let right)):
      return .timestamp(try left.adding(isSum ? right : try right.negated()))
    case (.duration(let left), .timestamp(let right)) where isSum:
      return .timestamp(try right.adding(left))
    case (.timestamp(let left), .timestamp(let right)) where !isSum:
      return .duration(try left.since(right))
    default: return nil
    }
  }
}

extension ArithmeticOperator {
  /// The types of the operands, in the order of production's message.
  fileprivate var forms: [(String, String)] {
    let numbers = [("int", "int"), ("float", "float")]
    switch self {
    case .plus:
      return numbers + [
        ("string", "string"), ("duration", "duration"), ("duration", "timestamp"),
        ("timestamp", "duration"),
      ]
    case .minus:
      return numbers + [
        ("duration", "duration"), ("timestamp", "duration"), ("timestamp", "timestamp"),
      ]
    case .times, .divided, .modulo: return numbers
    }
  }
}
