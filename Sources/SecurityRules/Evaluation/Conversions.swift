/// The functions `int`, `float`, `string` and `path`.
enum Conversions {
  /// Returns the value of a conversion; `nil` if it isn't defined for the value's type.
  static func apply(_ builtin: Builtin, _ value: RulesValue) throws(RulesError) -> RulesValue? {
    switch (builtin, value) {
    case (.int, .int), (.float, .float), (.string, .string): value
    case (.int, .float(let number)): .int(integer(number))
    case (.int, .string(let text)): .int(try integer(text))
    case (.float, .int(let number)): .float(Double(number))
    case (.float, .string(let text)): .float(try float(text))
    case (.string, .int), (.string, .float), (.string, .null), (.string, .bool), (.string, .path):
      .string(try text(of: value))
    case (.path, .string(let text)): .path(try RulesPath(reading: text))
    default: nil
    }
  }

  /// Returns the value as `string` writes it.
  static func text(of value: RulesValue) throws(RulesError) -> String {
    switch value {
    case .null: return "null"
    case .bool(let value): return value ? "true" : "false"
    case .int(let value): return String(value)
    case .float(let value): return FloatText.text(of: value)
    case .string(let value): return value
    case .path(let path): return path.description
    default:
      throw .unsupported(
        received: "string(\(value.type.rawValue))",
        expected: Builtin.string.overloads.map(\.text).joined(separator: ", "))
    }
  }

  /// Cuts the fraction. Numbers beyond 64 bits become the nearest integer, NaN becomes 0.
  private static func integer(_ number: Double) -> Int64 {
    if number.isNaN { return 0 }
    return Int64(exactly: number.rounded(.towardZero)) ?? (number < 0 ? .min : .max)
  }

  private static func integer(_ text: String) throws(RulesError) -> Int64 {
    // A sign and digits, and nothing else: this is the form that the initializer reads.
    guard let number = Int64(text) else { throw .conversion(text, from: .string, to: .int) }
    return number
  }

  private static func float(_ text: String) throws(RulesError) -> Double {
    guard let number = FloatText.number(text) else {
      throw .conversion(text, from: .string, to: .float)
    }
    return number
  }
}
