// Methods: each type has its own, and calls that fit none are errors.
extension Evaluator {
  mutating func apply(
    _ method: Method, _ operands: OperandRange
  ) throws(RulesError) -> RulesValue {
    let object = try value(of: program.operand(operands, 0))
    if case .null = object { throw .nullValue }
    let rest = OperandRange(start: operands.start + 1, count: operands.count - 1)
    let arguments = try values(of: rest)
    guard let value = try apply(method, to: object, arguments) else {
      throw Self.mismatch(method, object, arguments)
    }
    return value
  }

  /// Returns the value of a method; `nil` if none of its forms fits.
  private mutating func apply(
    _ method: Method, to object: RulesValue, _ arguments: [RulesValue]
  ) throws(RulesError) -> RulesValue? {
    switch object {
    case .string(let text): return try apply(method, to: text, arguments)
    case .bytes(let bytes): return try apply(method, to: bytes, arguments)
    case .list(let list): return try apply(method, to: list, arguments)
    case .set(let set): return try apply(method, to: set, arguments)
    case .map(let map): return try apply(method, to: map, arguments)
    case .mapDiff(let difference):
      return arguments.isEmpty ? difference.keys(method).map { .set($0) } : nil
    case .path(let path):
      guard method == .bind, arguments.count == 1, case .map(let values) = arguments[0] else {
        return nil
      }
      return .path(try path.bound(to: try values.entries()))
    case .timestamp(let time):
      return arguments.isEmpty ? try time.member(method) : nil
    case .duration(let duration):
      guard arguments.isEmpty else { return nil }
      switch method {
      case .seconds: return .int(duration.seconds)
      case .nanos: return .int(duration.nanoseconds)
      default: return nil
      }
    case .latlng(let point): return point.apply(method, arguments)
    case .constraint(let constraint): return try apply(method, to: constraint, arguments)
    case .null, .bool, .int, .float, .vector: return nil
    }
  }

  /// The one method of constraints: a list with one of several elements.
  private func apply(
    _ method: Method, to constraint: Constraint, _ arguments: [RulesValue]
  ) throws(RulesError) -> RulesValue? {
    guard method == .hasAny, arguments.count == 1, case .list(let list) = arguments[0] else {
      return nil
    }
    for element in list.elements where constraint.contains(element) { return .bool(true) }
    throw .unknown
  }

  mutating func matches(
    _ object: ExpressionID, _ pattern: Int
  ) throws(RulesError) -> RulesValue {
    let object = try value(of: object)
    // The pattern is an expression of its own.
    try countArgument()
    switch object {
    case .string(let text):
      return .bool(try matches(text, program.patterns[pattern]))
    case .null: throw .nullValue
    default: throw Self.mismatch(.matches, object, [.string("")])
    }
  }

  static func mismatch(
    _ method: Method, _ object: RulesValue, _ arguments: [RulesValue]
  ) -> RulesError {
    let type = object.type.rawValue
    let forms = method.overloads.filter { $0.receiver == type }
    guard !forms.isEmpty else { return .unknownFunction(method.rawValue) }
    let name = "\(type).\(method.rawValue)"
    return mismatch(forms, name, arguments)
  }

  static func mismatch(
    _ forms: [Overload], _ name: String, _ arguments: [RulesValue]
  ) -> RulesError {
    let expected = forms.map(\.text).joined(separator: ", ")
    guard forms.contains(where: { $0.parameters.count == arguments.count }) else {
      return .argumentCount(arguments.count, expected: expected)
    }
    let types = arguments.map(\.type.rawValue).joined(separator: ", ")
    return .unsupported(received: "\(name)(\(types))", expected: expected)
  }
}

extension MapDifference {
  /// The set of keys that a method names; `nil` if it names none.
  fileprivate func keys(_ method: Method) -> RulesSet? {
    switch method {
    case .addedKeys: added
    case .removedKeys: removed
    case .changedKeys: changed
    case .unchangedKeys: unchanged
    case .affectedKeys:
      RulesSet(distinct: added.elements + removed.elements + changed.elements)
    default: nil
    }
  }
}
