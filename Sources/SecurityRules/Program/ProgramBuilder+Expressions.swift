import HearthDocumentModel

// Expressions: names become slots, and constants are gathered.
extension ProgramBuilder {
  mutating func expression(_ syntax: ExpressionSyntax, in scope: Scope) -> ExpressionID {
    let range = syntax.range
    if let (value, cost) = syntax.constant {
      constants.append(value)
      return append(.constant(Int32(constants.count - 1), cost: Int32(cost)), range)
    }
    switch syntax.kind {
    case .null, .bool, .int, .float, .string, .bytes: return append(.unknownVariable, range)
    case .variable(let name):
      return append(variable(Name(text: name, range: range), in: scope), range)
    case .parentheses(let inner): return expression(inner, in: scope)
    case .list(let elements):
      return append(.list(append(operands: expressions(elements, in: scope))), range)
    case .map(let pairs):
      let parts = pairs.flatMap { [$0.key, $0.value] }
      return append(.map(append(operands: expressions(parts, in: scope))), range)
    case .path(let segments): return path(segments, range, in: scope)
    case .prefixed(let operation, let operand):
      let operand = expression(operand, in: scope)
      return append(operation == .not ? .not(operand) : .negated(operand), range)
    case .binary(let operation, let left, let right, _):
      let operands = (expression(left, in: scope), expression(right, in: scope))
      return append(Instruction(operation, operands.0, operands.1), range)
    case .conditional(let condition, let then, let otherwise):
      let parts = expressions([condition, then, otherwise], in: scope)
      return append(.conditional(parts[0], parts[1], parts[2]), range)
    case .isType(let operand, let type):
      return append(.isType(expression(operand, in: scope), type), range)
    case .member(let object, let name):
      return member(expression(object, in: scope), nameIndex(name.text), range)
    case .element(let object, let index):
      let parts = expressions([object, index], in: scope)
      return append(.element(parts[0], parts[1]), range)
    case .slice(let object, let from, let to):
      let object = expression(object, in: scope)
      let from = from.map { expression($0, in: scope) }
      let to = to.map { expression($0, in: scope) }
      return append(.slice(object, from, to), range)
    case .method(let object, let name, let arguments):
      return method(object, name, arguments, range, in: scope)
    case .call(let name, let arguments): return call(name, arguments, range, in: scope)
    }
  }

  private mutating func expressions(
    _ list: [ExpressionSyntax], in scope: Scope
  ) -> [ExpressionID] {
    list.map { expression($0, in: scope) }
  }

  private mutating func variable(_ name: Name, in scope: Scope) -> Instruction {
    if let local = scope.local(named: name.text) {
      unusedLocals.remove(local)
      return .local(Int32(local))
    }
    if Builtin.packages.contains(name.text) {
      checkPackage(name)
      return .unknownVariable
    }
    if let wildcard = scope.wildcard(named: name.text) { return .wildcard(Int32(wildcard)) }
    switch name.text {
    case "request": return .request
    case "resource": return .resource
    default:
      warn("Invalid variable name: \(name.text).", at: name.range)
      return .unknownVariable
    }
  }

  /// Appends a member, which may be a field of one of the two documents at hand.
  private mutating func member(
    _ object: ExpressionID, _ name: Int32, _ range: SourceRange
  ) -> ExpressionID {
    let member = append(.member(object, name), range)
    guard let document = self.member("data", at: object) else { return member }
    if case .resource = instructions[Int(document.index)] {
      return append(.field(isAfter: false, name, member), range)
    }
    if let root = self.member("resource", at: document),
      case .request = instructions[Int(root.index)]
    {
      return append(.field(isAfter: true, name, member), range)
    }
    return member
  }

  /// Returns the object of a member of this name; `nil` for any other expression.
  private func member(_ name: String, at id: ExpressionID) -> ExpressionID? {
    guard case .member(let object, let index) = instructions[Int(id.index)],
      names[Int(index)].utf8Equal(name)
    else { return nil }
    return object
  }

  private mutating func path(
    _ segments: [PathSegmentSyntax], _ range: SourceRange, in scope: Scope
  ) -> ExpressionID {
    let parts = segments.map { segment -> ExpressionID in
      switch segment {
      case .text(let text):
        constants.append(.string(text))
        return append(.constant(Int32(constants.count - 1), cost: 1), range)
      case .computed(let part): return expression(part, in: scope)
      }
    }
    return append(.path(append(operands: parts)), range)
  }

  private mutating func call(
    _ name: Name, _ arguments: [ExpressionSyntax], _ range: SourceRange, in scope: Scope
  ) -> ExpressionID {
    let parts = expressions(arguments, in: scope)
    let operands = append(operands: parts)
    if let function = scope.function(named: name.text) {
      noteCall(of: function)
      if declared[function].syntax.parameters.count != arguments.count {
        warn(
          "Incorrect number of arguments supplied to function: \(name.text).", at: name.range)
      }
      return append(.call(Int32(function), operands), range)
    }
    if let builtin = Builtin(rawValue: name.text) {
      checkCount(of: arguments, name, allowed: builtin.overloads)
      return append(.builtin(builtin, operands), range)
    }
    warn("Invalid function name: \(name.text).", at: name.range)
    return append(.unknownFunction(nameIndex(name.text), nil), range)
  }

  private mutating func method(
    _ object: ExpressionSyntax, _ name: Name, _ arguments: [ExpressionSyntax],
    _ range: SourceRange, in scope: Scope
  ) -> ExpressionID {
    if case .variable(let package) = object.kind, Builtin.packages.contains(package) {
      return function(of: package, object.range, name, arguments, range, in: scope)
    }
    let target = expression(object, in: scope)
    let parts = expressions(arguments, in: scope)
    guard let method = Method(rawValue: name.text) else {
      warn("Invalid function name: \(name.text).", at: name.range)
      return append(.unknownFunction(nameIndex(name.text), target), range)
    }
    if let id = pattern(method, arguments), method == .matches, arguments.count == 1 {
      return append(.matches(target, id), range)
    }
    checkCount(of: arguments, name, allowed: method.overloads)
    return append(.method(method, append(operands: [target] + parts)), range)
  }

  private mutating func function(
    of package: String, _ packageRange: SourceRange, _ name: Name,
    _ arguments: [ExpressionSyntax], _ range: SourceRange, in scope: Scope
  ) -> ExpressionID {
    let parts = expressions(arguments, in: scope)
    let full = "\(package).\(name.text)"
    guard let builtin = Builtin(rawValue: full) else {
      warn("Invalid function name: \(full).", at: name.range)
      return append(.unknownFunction(nameIndex(full), nil), range)
    }
    checkCount(
      of: arguments, Name(text: full, range: name.range), allowed: builtin.overloads)
    return append(.builtin(builtin, append(operands: parts)), range)
  }

  /// Compiles the constant pattern of a call.
  private mutating func pattern(_ method: Method, _ arguments: [ExpressionSyntax]) -> Int32? {
    guard method == .matches || method == .split, let argument = arguments.first,
      case .string(let text) = argument.kind
    else { return nil }
    guard let pattern = Pattern(text) else {
      report("Invalid regular expression pattern. Pattern: \(text).", at: argument.range)
      return nil
    }
    patterns.append(pattern)
    return Int32(patterns.count - 1)
  }

  private mutating func checkCount(
    of arguments: [ExpressionSyntax], _ name: Name, allowed overloads: [Overload]
  ) {
    guard !overloads.contains(where: { $0.parameters.count == arguments.count }) else { return }
    warn("Incorrect number of arguments supplied to function: \(name.text).", at: name.range)
  }
}

extension Instruction {
  fileprivate init(_ operation: BinaryOperator, _ left: ExpressionID, _ right: ExpressionID) {
    switch operation {
    case .or: self = .or(left, right)
    case .and: self = .and(left, right)
    case .contained: self = .contained(left, right)
    case .equal: self = .equal(left, right)
    case .notEqual: self = .notEqual(left, right)
    case .less: self = .compared(.less, left, right)
    case .lessOrEqual: self = .compared(.lessOrEqual, left, right)
    case .greater: self = .compared(.greater, left, right)
    case .greaterOrEqual: self = .compared(.greaterOrEqual, left, right)
    case .plus: self = .arithmetic(.plus, left, right)
    case .minus: self = .arithmetic(.minus, left, right)
    case .times: self = .arithmetic(.times, left, right)
    case .divided: self = .arithmetic(.divided, left, right)
    case .modulo: self = .arithmetic(.modulo, left, right)
    }
  }
}

extension ExpressionSyntax {
  /// The value of a constant, and the number of expressions that it counts as; `nil` for any other
  /// expression.
  fileprivate var constant: (value: RulesValue, cost: Int)? {
    switch kind {
    case .null: return (.null, 1)
    case .bool(let value): return (.bool(value), 1)
    case .int(let value): return (.int(value), 1)
    case .float(let value): return (.float(value), 1)
    case .string(let value): return (.string(value), 1)
    case .bytes(let value): return (.bytes(value), 1)
    case .list(let elements):
      let constants = elements.compactMap(\.constant)
      guard constants.count == elements.count else { return nil }
      return (.list(RulesList(constants.map(\.value))), constants.reduce(1) { $0 + $1.cost })
    default: return nil
    }
  }
}
