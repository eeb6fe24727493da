/// The meaning of methods and conversions for the second evaluator.
enum PlainMethods {
  typealias Failure = PlainEvaluator.Failure

  static func apply(
    _ name: String, _ object: PlainValue, _ arguments: [PlainValue]
  ) throws -> PlainValue {
    switch (object, name) {
    case (.string(let text), "size") where arguments.isEmpty: return .int(Int64(text.utf16.count))
    case (.string(let text), "upper") where arguments.isEmpty:
      return .string(String(text.map { $0.isASCII ? Character($0.uppercased()) : $0 }))
    case (.string(let text), "trim") where arguments.isEmpty:
      return .string(text.split(separator: " ").joined(separator: " "))
    case (.list(let list), _): return try apply(name, list, arguments)
    case (.set(let set), _): return try apply(name, set: set, arguments)
    case (.map(let map), "size") where arguments.isEmpty: return .int(Int64(map.count))
    case (.map(let map), "keys") where arguments.isEmpty:
      return .list(map.keys.sorted().map { .string($0) })
    case (.map(let map), "get") where arguments.count == 2:
      switch arguments[0] {
      case .string(let key): return map[key] ?? arguments[1]
      case .list(let keys): return try get(keys[...], object, arguments[1])
      default: throw Failure()
      }
    default: throw Failure()
    }
  }

  private static func get(
    _ keys: ArraySlice<PlainValue>, _ value: PlainValue, _ standard: PlainValue
  ) throws -> PlainValue {
    guard let key = keys.first else { return value }
    guard case .string(let key) = key else { throw Failure() }
    guard case .map(let map) = value, let inner = map[key] else { return standard }
    return try get(keys.dropFirst(), inner, standard)
  }

  private static func apply(
    _ name: String, _ list: [PlainValue], _ arguments: [PlainValue]
  ) throws -> PlainValue {
    if arguments.isEmpty {
      switch name {
      case "size": return .int(Int64(list.count))
      case "toSet":
        return .set(
          list.reduce(into: []) { if !$0.holds($1, loosely: true) { $0.append($1) } })
      default: throw Failure()
      }
    }
    guard arguments.count == 1, case .list(let other) = arguments[0] else { throw Failure() }
    switch name {
    case "hasAll": return .bool(other.allSatisfy { list.holds($0) })
    case "hasAny": return .bool(other.contains { list.holds($0) })
    case "hasOnly": return .bool(list.allSatisfy { other.holds($0) })
    case "concat": return .list(list + other)
    case "removeAll": return .list(list.filter { !other.holds($0) })
    default: throw Failure()
    }
  }

  private static func apply(
    _ name: String, set: [PlainValue], _ arguments: [PlainValue]
  ) throws -> PlainValue {
    if name == "size", arguments.isEmpty { return .int(Int64(set.count)) }
    guard arguments.count == 1 else { throw Failure() }
    let other: [PlainValue]
    switch arguments[0] {
    case .set(let elements): other = elements
    case .list(let elements) where ["hasAll", "hasAny", "hasOnly"].contains(name):
      other = elements
    default: throw Failure()
    }
    let isInOther = { (value: PlainValue) in other.holds(value, loosely: true) }
    let isInSet = { (value: PlainValue) in set.holds(value, loosely: true) }
    switch name {
    case "hasAll": return .bool(other.allSatisfy(isInSet))
    case "hasAny": return .bool(other.contains(where: isInSet))
    case "hasOnly": return .bool(set.allSatisfy(isInOther))
    case "union": return .set(set + other.filter { !isInSet($0) })
    case "intersection": return .set(set.filter(isInOther))
    case "difference": return .set(set.filter { !isInOther($0) })
    default: throw Failure()
    }
  }

  static func convert(_ name: String, _ arguments: [PlainValue]) throws -> PlainValue {
    guard arguments.count == 1 else { throw Failure() }
    switch (name, arguments[0]) {
    case ("int", .int), ("float", .float), ("string", .string): return arguments[0]
    case ("int", .float(let value)):
      if value.isNaN { return .int(0) }
      return .int(value <= -0x1p63 ? .min : value >= 0x1p63 ? .max : Int64(value))
    case ("int", .string(let text)):
      guard let value = Int64(text) else { throw Failure() }
      return .int(value)
    case ("float", .int(let value)): return .float(Double(value))
    case ("float", .string(let text)):
      guard let value = Double(text) else { throw Failure() }
      return .float(value)
    case ("string", .int(let value)): return .string("\(value)")
    case ("string", .float(let value)): return .string(text(of: value))
    case ("string", .bool(let value)): return .string("\(value)")
    case ("string", .null): return .string("null")
    case ("debug", _): return arguments[0]
    default: throw Failure()
    }
  }
}

extension PlainMethods {
  /// Returns the number in the form of Java, which has one digit before the point of a power.
  private static func text(of number: Double) -> String {
    if number.isNaN { return "NaN" }
    if number.isInfinite { return number < 0 ? "-Infinity" : "Infinity" }
    let text = "\(number)"
    if number == 0 || number.magnitude >= 0.001 && number.magnitude < 10_000_000 { return text }
    // The language writes some of these without a power.
    let parts = text.split(separator: "e")
    var digits = parts[0].filter(\.isNumber)
    var power = (parts.count > 1 ? Int(parts[1]) ?? 0 : 0)
    power += parts[0].prefix { $0 != "." }.filter(\.isNumber).count - 1
    while digits.first == "0" {
      digits.removeFirst()
      power -= 1
    }
    while digits.count > 2, digits.last == "0" { digits.removeLast() }
    if digits.count == 1 { digits += "0" }
    return (number < 0 ? "-" : "") + digits.prefix(1) + "." + digits.dropFirst() + "E\(power)"
  }
}

/// The meaning of the operators on numbers and texts for the second evaluator.
enum PlainArithmetic {
  static func apply(
    _ name: String, _ left: PlainValue, _ right: PlainValue
  ) throws -> PlainValue {
    switch (left, right) {
    case (.int(let left), .int(let right)): return .int(try integers(name, left, right))
    case (.int(let left), .float(let right)): return .float(floats(name, Double(left), right))
    case (.float(let left), .int(let right)): return .float(floats(name, left, Double(right)))
    case (.float(let left), .float(let right)): return .float(floats(name, left, right))
    case (.string(let left), .string(let right)) where name == "+": return .string(left + right)
    default: throw PlainEvaluator.Failure()
    }
  }

  private static func integers(_ name: String, _ left: Int64, _ right: Int64) throws -> Int64 {
    let (left, right) = (Int128(left), Int128(right))
    if "/%".contains(name), right == 0 { throw PlainEvaluator.Failure() }
    let result =
      switch name {
      case "+": left + right
      case "-": left - right
      case "*": left * right
      case "/": left / right
      default: left % right
      }
    if name == "/", result == -Int128(Int64.min) { return .min }
    guard let value = Int64(exactly: result) else { throw PlainEvaluator.Failure() }
    return value
  }

  private static func floats(_ name: String, _ left: Double, _ right: Double) -> Double {
    switch name {
    case "+": left + right
    case "-": left - right
    case "*": left * right
    case "/": left / right
    default: left.truncatingRemainder(dividingBy: right)
    }
  }
}
