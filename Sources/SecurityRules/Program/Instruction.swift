/// The number of an expression in its program.
struct ExpressionID: Sendable, Equatable {
  let index: Int32
}

/// A run of expressions in a program's list of operands.
struct OperandRange: Sendable {
  let start: Int32
  let count: Int32
}

/// One expression of a program, with the numbers of its operands.
///
/// It holds no reference, so that reading one from the program costs a copy of some bytes.
enum Instruction: Sendable {
  /// A value of the table of constants, which counts as `cost` expressions.
  case constant(Int32, cost: Int32)
  /// A wildcard of the blocks around, by its place among them.
  case wildcard(Int32)
  /// A parameter or variable of the function, by its place.
  case local(Int32)
  case request
  case resource
  /// A name that means nothing.
  case unknownVariable
  case not(ExpressionID)
  case negated(ExpressionID)
  case and(ExpressionID, ExpressionID)
  case or(ExpressionID, ExpressionID)
  case conditional(ExpressionID, ExpressionID, ExpressionID)
  case equal(ExpressionID, ExpressionID)
  case notEqual(ExpressionID, ExpressionID)
  case contained(ExpressionID, ExpressionID)
  case compared(ComparisonOperator, ExpressionID, ExpressionID)
  case arithmetic(ArithmeticOperator, ExpressionID, ExpressionID)
  case isType(ExpressionID, RulesType)
  case list(OperandRange)
  /// Keys and values in turn.
  case map(OperandRange)
  case path(OperandRange)
  /// A member, by its name's place in the table of names.
  case member(ExpressionID, Int32)
  /// A field of `resource` or, after the request, of `request.resource`, by its name's place. The
  /// last part is the same as members of members, which tells why there is no such field.
  case field(isAfter: Bool, Int32, ExpressionID)
  case element(ExpressionID, ExpressionID)
  case slice(ExpressionID, ExpressionID?, ExpressionID?)
  /// A method, and its object before the arguments.
  case method(Method, OperandRange)
  /// A method of a constant pattern, by its place in the table of patterns.
  case matches(ExpressionID, Int32)
  case builtin(Builtin, OperandRange)
  case call(Int32, OperandRange)
  /// A function that there is not, by its name's place, and the object if it is a method.
  case unknownFunction(Int32, ExpressionID?)
}

extension Instruction {
  /// Whether the text alone tells the value.
  var isConstant: Bool {
    if case .constant = self { true } else { false }
  }
}

/// The order of two values that an operator tests.
enum ComparisonOperator: String, Sendable {
  case less = "<", lessOrEqual = "<=", greater = ">", greaterOrEqual = ">="
}

enum ArithmeticOperator: String, Sendable {
  case plus = "+", minus = "-", times = "*", divided = "/", modulo = "%"
}
