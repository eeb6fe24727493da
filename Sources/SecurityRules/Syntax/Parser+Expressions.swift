import HearthDocumentModel

// Expressions, by precedence climbing.
extension Parser {
  /// Reads an expression that is not part of another one, and checks its height.
  mutating func wholeExpression() throws(Stop) -> ExpressionSyntax {
    depth = 0
    let expression = try self.expression()
    if expression.height > Parser.heightLimit { reportLeaves(of: expression, depth: 1) }
    return expression
  }

  /// Reports the innermost expressions that lie too deep.
  private mutating func reportLeaves(of expression: ExpressionSyntax, depth: Int) {
    let operands = expression.kind.operands
    if operands.isEmpty, depth > Parser.heightLimit { reportComplexity(at: expression.range) }
    for operand in operands where depth + operand.height > Parser.heightLimit {
      reportLeaves(of: operand, depth: depth + 1)
    }
  }

  private mutating func reportComplexity(at range: SourceRange) {
    report("Expression is too complex to evaluate safely.", at: range)
  }

  mutating func expression() throws(Stop) -> ExpressionSyntax {
    try nested { (parser) throws(Stop) in try parser.ternary() }
  }

  /// Reads with `body` one level deeper.
  private mutating func nested(
    _ body: (inout Parser) throws(Stop) -> ExpressionSyntax
  ) throws(Stop) -> ExpressionSyntax {
    guard depth < Parser.heightLimit else {
      reportComplexity(at: current.range)
      throw Stop()
    }
    depth += 1
    defer { depth -= 1 }
    return try body(&self)
  }

  private mutating func ternary() throws(Stop) -> ExpressionSyntax {
    let condition = try binary(1)
    guard skip(.question) else { return condition }
    let then = try expression()
    try expect(.colon)
    let otherwise = try expression()
    return ExpressionSyntax(
      .conditional(condition, then: then, otherwise: otherwise),
      condition.range.through(otherwise.range))
  }

  /// Reads operands that operators of at least this precedence join.
  private mutating func binary(_ precedence: Int) throws(Stop) -> ExpressionSyntax {
    var left = try prefixed()
    while let (binding, operation) = current.binaryOperator, binding >= precedence {
      guard left.height < Parser.chainLimit else {
        reportComplexity(at: left.range)
        throw Stop()
      }
      let range = current.range
      advance()
      guard let operation else {
        left = try typeTest(of: left)
        continue
      }
      let right = try binary(binding + 1)
      left = ExpressionSyntax(
        .binary(operation, left, right, range), left.range.through(right.range))
    }
    return left
  }

  private mutating func typeTest(
    of operand: ExpressionSyntax
  ) throws(Stop) -> ExpressionSyntax {
    guard case .word(let name) = current.kind, !ReservedWord.all.contains(name) else {
      throw unexpected()
    }
    let range = operand.range.through(current.range)
    advance()
    let type = RulesType.testable(named: name)
    if type == nil {
      let types = RulesType.testable.map(\.rawValue).joined(separator: ",")
      // Production names the place after the type.
      report(
        "An unsupported type identifier was used with the 'is' operator. Received \(name). "
          + "Expected one of \(types)", at: current.range)
    }
    return ExpressionSyntax(.isType(operand, type ?? .null), range)
  }

  private mutating func prefixed() throws(Stop) -> ExpressionSyntax {
    let start = current.range
    if current.isSymbol(.minus), case .integer(let digits) = following.kind,
      digits.utf8Equal("9223372036854775808")
    {
      advance()
      advance()
      return try postfix(ExpressionSyntax(.int(.min), start.through(previous.range)))
    }
    let operation: UnaryOperator
    if skip(.not) {
      operation = .not
    } else if skip(.minus) {
      operation = .minus
    } else {
      return try postfix(try primary())
    }
    let operand = try nested { (parser) throws(Stop) in try parser.prefixed() }
    return ExpressionSyntax(.prefixed(operation, operand), start.through(operand.range))
  }

  private mutating func postfix(
    _ object: ExpressionSyntax
  ) throws(Stop) -> ExpressionSyntax {
    var object = object
    while true {
      guard object.height < Parser.chainLimit else {
        reportComplexity(at: object.range)
        throw Stop()
      }
      if current.isSymbol(.dot) {
        object = try member(of: object)
      } else if current.isSymbol(.leftBracket) {
        object = try element(of: object)
      } else {
        return object
      }
    }
  }

  private mutating func member(of object: ExpressionSyntax) throws(Stop) -> ExpressionSyntax {
    if following.kind == .stray { throw unexpected() }
    advance()
    // The one word that can't be the name of a member.
    guard case .word(let text) = current.kind, text != "service" else { throw unexpected() }
    let name = Name(text: text, range: current.range)
    advance()
    guard current.isSymbol(.leftParenthesis) else {
      return ExpressionSyntax(.member(object, name), object.range.through(name.range))
    }
    let arguments = try arguments()
    return ExpressionSyntax(
      .method(object, name, arguments), object.range.through(previous.range))
  }

  private mutating func arguments() throws(Stop) -> [ExpressionSyntax] {
    try expect(.leftParenthesis)
    var arguments: [ExpressionSyntax] = []
    if skip(.rightParenthesis) { return arguments }
    repeat { arguments.append(try expression()) } while skip(.comma)
    try expect(.rightParenthesis)
    return arguments
  }

  private mutating func element(of object: ExpressionSyntax) throws(Stop) -> ExpressionSyntax {
    try expect(.leftBracket)
    var from: ExpressionSyntax?
    if !current.isSymbol(.colon) {
      let index = try expression()
      if skip(.rightBracket) {
        return ExpressionSyntax(.element(object, index), object.range.through(previous.range))
      }
      from = index
    }
    try expect(.colon)
    var to: ExpressionSyntax?
    if !current.isSymbol(.rightBracket) { to = try expression() }
    try expect(.rightBracket)
    return ExpressionSyntax(
      .slice(object, from: from, to: to), object.range.through(previous.range))
  }
}

extension Token {
  /// The operator between two operands and its precedence; no operator for the test of a type.
  fileprivate var binaryOperator: (precedence: Int, operation: BinaryOperator?)? {
    switch kind {
    case .word("in"): (3, .contained)
    case .word("is"): (4, nil)
    case .symbol(let symbol):
      switch symbol {
      case .or: (1, .or)
      case .and: (2, .and)
      case .equal: (5, .equal)
      case .notEqual: (5, .notEqual)
      case .less: (6, .less)
      case .lessOrEqual: (6, .lessOrEqual)
      case .greater: (6, .greater)
      case .greaterOrEqual: (6, .greaterOrEqual)
      case .plus: (7, .plus)
      case .minus: (7, .minus)
      case .star: (8, .times)
      case .slash: (8, .divided)
      case .percent: (8, .modulo)
      default: nil
      }
    default: nil
    }
  }
}
