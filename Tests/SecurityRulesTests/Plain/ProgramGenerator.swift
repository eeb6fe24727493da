import TestSupport

/// Makes random programs of a few functions and a condition.
struct ProgramGenerator {
  private var random: SplitMix64
  private(set) var functions: [PlainFunction] = []

  static let fields: [(String, PlainValue)] = [
    ("i", .int(2)), ("f", .float(2.5)), ("s", .string("ab")), ("b", .bool(true)),
    ("n", .null), ("l", .list([.int(1), .float(1), .string("a")])),
    ("m", .map(["k": .int(1), "z": .list([.string("b")])])),
  ]

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
  }

  /// Makes the functions, each of which may call those before it, and returns a condition.
  mutating func condition() -> PlainExpression {
    for number in 0..<Int.random(in: 0...3, using: &random) {
      let parameters = (0..<Int.random(in: 0...2, using: &random)).map { "p\($0)" }
      var names = parameters
      var variables: [(name: String, value: PlainExpression)] = []
      for place in 0..<Int.random(in: 0...2, using: &random) {
        variables.append(("v\(place)", expression(depth: 2, names)))
        names.append("v\(place)")
      }
      functions.append(
        PlainFunction(
          name: "f\(number)", parameters: parameters, variables: variables,
          result: expression(depth: 3, names)))
    }
    return expression(depth: 4, [])
  }

  private mutating func expression(depth: Int, _ names: [String]) -> PlainExpression {
    guard depth > 0, !random.oneIn(5) else { return leaf(names) }
    func inner(_ generator: inout ProgramGenerator) -> PlainExpression {
      generator.expression(depth: depth - 1, names)
    }
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<5: return .binary(random.pick(["&&", "||"]), inner(&self), inner(&self))
    case 5..<8:
      return .binary(
        random.pick(["==", "!=", "<", "<=", ">", ">=", "in"]), inner(&self), inner(&self))
    case 8, 9:
      return .binary(random.pick(["+", "-", "*", "/", "%"]), inner(&self), inner(&self))
    case 10: return random.oneIn(3) ? .minus(inner(&self)) : .not(inner(&self))
    case 11: return .conditional(inner(&self), inner(&self), inner(&self))
    case 12:
      let type = random.pick(["int", "float", "number", "string", "bool", "list", "map", "set"])
      return .isType(inner(&self), type)
    case 13: return .list((0..<Int.random(in: 0...3, using: &random)).map { _ in inner(&self) })
    case 14:
      let keys = ["k", "z"].filter { _ in random.oneIn(2) }
      return .map(keys, keys.map { _ in inner(&self) })
    case 15: return .element(inner(&self), inner(&self))
    case 16:
      let bounds = (0..<2).map { _ in random.oneIn(2) ? nil : inner(&self) }
      return .slice(inner(&self), bounds[0], bounds[1])
    case 17, 18: return method(depth: depth, names)
    default: return call(depth: depth, names)
    }
  }

  private mutating func method(depth: Int, _ names: [String]) -> PlainExpression {
    let name = random.pick([
      "size", "upper", "trim", "toSet", "keys", "hasAll", "hasAny", "hasOnly", "concat",
      "removeAll", "union", "intersection", "difference", "get",
    ])
    let argumentCounts = ["size": 0, "upper": 0, "trim": 0, "toSet": 0, "keys": 0, "get": 2]
    let object = expression(depth: depth - 1, names)
    let arguments = (0..<(argumentCounts[name] ?? 1)).map { _ in
      expression(depth: depth - 1, names)
    }
    return .method(object, name, arguments)
  }

  private mutating func call(depth: Int, _ names: [String]) -> PlainExpression {
    if let function = functions.randomElement(using: &random), !random.oneIn(4) {
      return .call(
        function.name, function.parameters.map { _ in expression(depth: depth - 1, names) })
    }
    return .call(
      random.pick(["int", "float", "string", "debug"]), [expression(depth: depth - 1, names)])
  }

  private mutating func leaf(_ names: [String]) -> PlainExpression {
    switch Int.random(in: 0..<8, using: &random) {
    case 0, 1:
      if let name = names.randomElement(using: &random) { return .variable(name) }
      return .variable(random.pick(["id", "nothing"]))
    case 2, 3:
      let name = random.pick(["i", "f", "s", "b", "n", "l", "m", "missing"])
      return .member(.member(.variable("resource"), "data"), name)
    case 4: return .constant(.bool(random.oneIn(2)))
    case 5:
      return .constant(
        .int(random.pick([0, 1, 2, -1, 3, .max, .min, 1 << 53])))
    case 6: return .constant(.float(random.pick([0, 1, 2.5, -1, 0.5])))
    default:
      return random.oneIn(6)
        ? .constant(.null) : .constant(.string(random.pick(["", "a", "ab", "é", " b ", "k", "😀"])))
    }
  }
}
