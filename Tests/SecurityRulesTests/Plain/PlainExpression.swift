/// An expression of rules in the form that tests make, with its own text and meaning.
indirect enum PlainExpression {
  case constant(PlainValue)
  /// A variable, parameter or wildcard by its name, or `resource`.
  case variable(String)
  case list([PlainExpression])
  /// The keys, and their values in the same order.
  case map([String], [PlainExpression])
  case not(PlainExpression)
  case minus(PlainExpression)
  case binary(String, PlainExpression, PlainExpression)
  case conditional(PlainExpression, PlainExpression, PlainExpression)
  case isType(PlainExpression, String)
  case member(PlainExpression, String)
  case element(PlainExpression, PlainExpression)
  case slice(PlainExpression, PlainExpression?, PlainExpression?)
  case method(PlainExpression, String, [PlainExpression])
  case call(String, [PlainExpression])
}

/// A function of the rules that tests make.
struct PlainFunction {
  let name: String
  let parameters: [String]
  let variables: [(name: String, value: PlainExpression)]
  let result: PlainExpression

  var text: String {
    let variables = variables.map { "let \($0.name) = \($0.value.text); " }.joined()
    return "function \(name)(\(parameters.joined(separator: ", "))) "
      + "{ \(variables)return \(result.text); }"
  }
}

extension PlainExpression {
  private static let precedences = [
    "||": 1, "&&": 2, "in": 3, "==": 5, "!=": 5, "<": 6, "<=": 6, ">": 6, ">=": 6, "+": 7, "-": 7,
    "*": 8, "/": 8, "%": 8,
  ]

  /// The strength with which the outermost operator holds its operands.
  private var precedence: Int {
    switch self {
    case .binary(let name, _, _): Self.precedences[name] ?? 0
    case .conditional: 0
    case .isType: 4
    case .not, .minus: 9
    case .constant(.int(let value)) where value < 0: 9
    case .constant(.float(let value)) where value < 0: 9
    default: 10
    }
  }

  /// The expression as rules write it, with no more parentheses than it needs.
  var text: String {
    switch self {
    case .constant(let value): value.literal
    case .variable(let name): name
    case .list(let elements): "[\(elements.map(\.text).joined(separator: ", "))]"
    case .map(let keys, let values):
      "{\(zip(keys, values).map { "'\($0)': \($1.text)" }.joined(separator: ", "))}"
    case .not(let operand): "!\(operand.text(atLeast: 9))"
    // Two signs in a row would be another token.
    case .minus(let operand): "-\(operand.text(atLeast: 10))"
    case .binary(let name, let left, let right):
      "\(left.text(atLeast: precedence)) \(name) \(right.text(atLeast: precedence + 1))"
    case .conditional(let condition, let then, let otherwise):
      "\(condition.text(atLeast: 1)) ? \(then.text) : \(otherwise.text)"
    case .isType(let operand, let type): "\(operand.text(atLeast: 4)) is \(type)"
    case .member(let object, let name): "\(object.text(atLeast: 10)).\(name)"
    case .element(let object, let index): "\(object.text(atLeast: 10))[\(index.text)]"
    case .slice(let object, let from, let to):
      "\(object.text(atLeast: 10))[\(from?.text ?? ""):\(to?.text ?? "")]"
    case .method(let object, let name, let arguments):
      "\(object.text(atLeast: 10)).\(name)(\(arguments.map(\.text).joined(separator: ", ")))"
    case .call(let name, let arguments):
      "\(name)(\(arguments.map(\.text).joined(separator: ", ")))"
    }
  }

  private func text(atLeast precedence: Int) -> String {
    // A number before a point would take it for its own.
    if case .constant(.int) = self, precedence == 10 { return "(\(text))" }
    if case .constant(.float) = self, precedence == 10 { return "(\(text))" }
    return self.precedence < precedence ? "(\(text))" : text
  }
}
