/// A second evaluator of rules that goes by the meaning alone: no program, no slots, no limits.
struct PlainEvaluator {
  struct Failure: Error {}

  let functions: [PlainFunction]
  /// The names that mean a value everywhere.
  let names: [String: PlainValue]
  /// The parameters and variables of the current call, or the wildcards outside of functions.
  var locals: [String: () throws -> PlainValue] = [:]

  func value(of expression: PlainExpression) throws -> PlainValue {
    switch expression {
    case .constant(let value): return value
    case .variable(let name):
      if let local = locals[name] { return try local() }
      guard let value = names[name] else { throw Failure() }
      return value
    case .list(let elements): return .list(try elements.map(value))
    case .map(let keys, let values):
      return .map(Dictionary(zip(keys, try values.map(value))) { $1 })
    case .not(let operand): return .bool(!(try truth(of: operand)))
    case .minus(let operand):
      switch try value(of: operand) {
      case .int(let value) where value != .min: return .int(-value)
      case .float(let value): return .float(-value)
      default: throw Failure()
      }
    case .binary("&&", let left, let right): return .bool(try junction(left, right, false))
    case .binary("||", let left, let right): return .bool(try junction(left, right, true))
    case .binary(let name, let left, let right):
      return try binary(name, value(of: left), value(of: right))
    case .conditional(let condition, let then, let otherwise):
      return try value(of: try truth(of: condition) ? then : otherwise)
    case .isType(let operand, let type):
      let own = try value(of: operand).type
      return .bool(own == type || type == "number" && ["int", "float"].contains(own))
    case .member(let object, let name):
      guard case .map(let entries) = try value(of: object), let value = entries[name] else {
        throw Failure()
      }
      return value
    case .element(let object, let index): return try element(object, index)
    case .slice(let object, let from, let to): return try slice(object, from, to)
    case .method(let object, let name, let arguments):
      return try PlainMethods.apply(name, try value(of: object), try arguments.map(value))
    case .call(let name, let arguments): return try call(name, arguments)
    }
  }

  private func truth(of expression: PlainExpression) throws -> Bool {
    guard case .bool(let value) = try value(of: expression) else { throw Failure() }
    return value
  }

  private func junction(
    _ left: PlainExpression, _ right: PlainExpression, _ decision: Bool
  ) throws -> Bool {
    let outcomes = [left, right].map { side in Result { try truth(of: side) } }
    if outcomes.contains(where: { (try? $0.get()) == decision }) { return decision }
    return try outcomes.map { try $0.get() }.contains(decision) ? decision : !decision
  }

  private func call(_ name: String, _ arguments: [PlainExpression]) throws -> PlainValue {
    guard let function = functions.first(where: { $0.name == name }) else {
      return try PlainMethods.convert(name, try arguments.map(value))
    }
    guard function.parameters.count == arguments.count else { throw Failure() }
    var inner = self
    inner.locals = [:]
    for (parameter, argument) in zip(function.parameters, arguments) {
      inner.locals[parameter] = { try self.value(of: argument) }
    }
    for variable in function.variables {
      let outer = inner
      inner.locals[variable.name] = { try outer.value(of: variable.value) }
    }
    return try inner.value(of: function.result)
  }

  private func binary(
    _ name: String, _ left: PlainValue, _ right: PlainValue
  ) throws -> PlainValue {
    switch name {
    case "==": return .bool(left.equals(right, atTop: true, inside: false))
    case "!=": return .bool(!left.equals(right, atTop: true, inside: false))
    case "in":
      switch right {
      case .list(let elements): return .bool(elements.holds(left))
      case .set(let elements): return .bool(elements.holds(left, loosely: true))
      case .map(let entries):
        guard case .string(let key) = left else { throw Failure() }
        return .bool(entries[key] != nil)
      default: throw Failure()
      }
    case "<", "<=", ">", ">=": return .bool(try compare(name, left, right))
    default: return try PlainArithmetic.apply(name, left, right)
    }
  }

  private func compare(_ name: String, _ left: PlainValue, _ right: PlainValue) throws -> Bool {
    func holds<T: Comparable>(_ left: T, _ right: T) -> Bool {
      switch name {
      case "<": left < right
      case "<=": left <= right
      case ">": left > right
      default: left >= right
      }
    }
    switch (left, right) {
    case (.int(let left), .int(let right)): return holds(left, right)
    case (.int(let left), .float(let right)): return holds(Double(left), right)
    case (.float(let left), .int(let right)): return holds(left, Double(right))
    case (.float(let left), .float(let right)): return holds(left, right)
    case (.string(let left), .string(let right)):
      let (left, right) = (Array(left.utf16), Array(right.utf16))
      let order = left == right ? 0 : left.lexicographicallyPrecedes(right) ? -1 : 1
      return holds(order, 0)
    default: throw Failure()
    }
  }

  private func element(
    _ object: PlainExpression, _ index: PlainExpression
  ) throws -> PlainValue {
    switch (try value(of: object), try value(of: index)) {
    case (.list(let list), .int(let index)) where index >= 0 && index < list.count:
      return list[Int(index)]
    case (.string(let text), .int(let index)) where index >= 0 && index < text.utf16.count:
      return .string(String(decoding: [Array(text.utf16)[Int(index)]], as: UTF16.self))
    case (.map(let entries), .string(let key)):
      guard let value = entries[key] else { throw Failure() }
      return value
    default: throw Failure()
    }
  }

  private func slice(
    _ object: PlainExpression, _ from: PlainExpression?, _ to: PlainExpression?
  ) throws -> PlainValue {
    func bound(_ expression: PlainExpression?) throws -> Int64? {
      switch try expression.map(value) {
      case nil, .null?: return nil
      case .int(let bound)?: return bound
      default: throw Failure()
      }
    }
    let object = try value(of: object)
    let (from, to) = (try bound(from) ?? 0, try bound(to))
    func part<T>(_ elements: [T]) throws -> [T] {
      let to = to ?? Int64(elements.count)
      guard from >= 0, from <= to, to <= elements.count else { throw Failure() }
      return Array(elements[Int(from)..<Int(to)])
    }
    switch object {
    case .list(let elements): return .list(try part(elements))
    case .string(let text):
      return .string(String(decoding: try part(Array(text.utf16)), as: UTF16.self))
    default: throw Failure()
    }
  }
}
