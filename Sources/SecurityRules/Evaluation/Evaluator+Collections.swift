import HearthDocumentModel

// Lists, maps, paths and their parts.
extension Evaluator {
  mutating func arithmetic(
    _ operation: ArithmeticOperator, _ left: RulesValue, _ right: RulesValue
  ) throws(RulesError) -> RulesValue {
    if case .string(let left) = left, case .string(let right) = right {
      try handle(left.utf8.count + right.utf8.count)
    }
    return try Arithmetic.apply(operation, left, right)
  }

  mutating func isContained(
    _ element: RulesValue, in collection: RulesValue
  ) throws(RulesError) -> Bool {
    switch collection {
    case .list(let list):
      try handle(list.weight, times: element.weight)
      return try list.contains(element)
    case .set(let set):
      try handle(set.elements.weight, times: element.weight)
      return try set.contains(element)
    case .map(let map):
      if case .constraint = element { throw .unknown }
      guard case .string(let key) = element else {
        throw .unsupported(
          received: "map.in(\(element.type.rawValue))", expected: "map.in(string)")
      }
      return try map.value(of: key) != nil
    case .constraint(let constraint):
      guard constraint.contains(element) else { throw .unknown }
      return true
    case .null: throw .nullValue
    default: throw .unknownFunction("in")
    }
  }

  mutating func map(_ range: OperandRange) throws(RulesError) -> RulesValue {
    let parts = try values(of: range)
    var entries: [RulesMap.Entry] = []
    for index in stride(from: 0, to: parts.count, by: 2) {
      guard case .string(let key) = parts[index] else {
        throw .type(parts[index].type, expected: "string")
      }
      entries.append((key, parts[index + 1]))
    }
    let map = RulesMap(entries)
    try make(map.weight)
    return .map(map)
  }

  mutating func path(_ range: OperandRange) throws(RulesError) -> RulesValue {
    var segments: [RulesPath.Segment] = []
    segments.reserveCapacity(Int(range.count))
    for index in 0..<Int(range.count) {
      let part = try value(of: program.operand(range, index))
      switch part {
      case .string(let text): segments.append(.text(text))
      case .path(let path): segments += path.segments
      default: segments.append(.text(try Conversions.text(of: part)))
      }
    }
    try make(segments.count)
    return .path(RulesPath(segments))
  }

  static func member(_ name: String, of object: RulesValue) throws(RulesError) -> RulesValue {
    switch object {
    case .map(let map):
      do throws(RulesError) {
        if let value = try map.value(of: name) { return value }
      } catch .unknown {
        throw .undefinedProperty(name)
      }
      throw .undefinedProperty(name)
    case .path(let path): return try path.boundVariable(name)
    case .null: throw .nullValue
    default: throw .type(object.type, expected: "map,path")
    }
  }

  static func element(
    at index: RulesValue, of object: RulesValue
  ) throws(RulesError) -> RulesValue {
    switch (object, index) {
    case (.list(let list), .int(let index)):
      return list[try place(index, in: list.count)]
    case (.string(let text), .int(let index)):
      let units = text.utf16
      let place = units.index(units.startIndex, offsetBy: try place(index, in: units.count))
      return .string(String(decoding: CollectionOfOne(units[place]), as: UTF16.self))
    case (.path(let path), .int(let index)):
      return .string(try path.text(at: try place(index, in: path.segments.count)))
    case (.map, .string(let name)), (.path, .string(let name)):
      return try member(name, of: object)
    case (.null, _): throw .nullValue
    case (.list, _), (.string, _), (.path, _), (.map, _):
      let type = object.type.rawValue
      let key = object.type == .map ? "string" : "int"
      throw .unsupported(
        received: "\(type)[\(index.type.rawValue)]", expected: "\(type)[\(key)]")
    default: throw .unknownFunction("[]")
    }
  }

  private static func place(_ index: Int64, in count: Int) throws(RulesError) -> Int {
    guard index >= 0, index < Int64(count) else { throw .outOfBounds(index, size: count) }
    return Int(index)
  }

  mutating func slice(
    _ object: ExpressionID, _ from: ExpressionID?, _ to: ExpressionID?
  ) throws(RulesError) -> RulesValue {
    let object = try value(of: object)
    let (first, last) = (try bound(from), try bound(to))
    let bounds = try Self.bounds(first, last, of: object)
    switch object {
    case .list(let list):
      let range = try range(bounds, in: list.count)
      try make(range.count)
      return .list(list[range])
    case .string(let text):
      let units = Array(text.utf16)
      try handle(units.count)
      return .string(String(decoding: units[try range(bounds, in: units.count)], as: UTF16.self))
    case .path(let path):
      return .path(RulesPath(Array(path.segments[try range(bounds, in: path.segments.count)])))
    default: throw .unknownFunction("@range")
    }
  }

  /// Returns the value of a bound; null for an absent one.
  private mutating func bound(_ id: ExpressionID?) throws(RulesError) -> RulesValue {
    guard let id else { return .null }
    return try value(of: id)
  }

  private static func bounds(
    _ from: RulesValue, _ to: RulesValue, of object: RulesValue
  ) throws(RulesError) -> (Int64?, Int64?) {
    switch (from, to) {
    case _ where object.type == .null: throw .nullValue
    case (.null, .null): return (nil, nil)
    case (.null, .int(let to)): return (nil, to)
    case (.int(let from), .null): return (from, nil)
    case (.int(let from), .int(let to)): return (from, to)
    default:
      let type = object.type.rawValue
      let forms = ["null:null", "null:int", "int:null", "int:int"]
      throw .unsupported(
        received: "\(type)[\(from.type.rawValue):\(to.type.rawValue)]",
        expected: forms.map { "\(type)[\($0)]" }.joined(separator: ", "))
    }
  }

  private func range(
    _ bounds: (from: Int64?, to: Int64?), in count: Int
  ) throws(RulesError) -> Range<Int> {
    let (from, to) = (bounds.from ?? 0, bounds.to ?? Int64(count))
    guard from <= to else { throw .badRange(from: from, to: to) }
    guard from >= 0 else { throw .outOfBounds(from, size: count) }
    guard to <= Int64(count) else { throw .outOfBounds(to - 1, size: count) }
    return Int(from)..<Int(to)
  }
}

extension RulesPath {
  fileprivate func text(at index: Int) throws(RulesError) -> String {
    switch segments[index] {
    case .text(let text): return text
    case .variable(let name), .glob(let name): throw .unbound(name)
    }
  }

  fileprivate func boundVariable(_ name: String) throws(RulesError) -> RulesValue {
    guard let binding = bindings.last(where: { $0.key.utf8Equal(name) }) else {
      if segments.contains(where: { $0.variableName?.utf8Equal(name) ?? false }) {
        throw .unbound(name)
      }
      throw .undefinedProperty(name)
    }
    return binding.value
  }
}

extension RulesError {
  fileprivate static func unbound(_ name: String) -> RulesError {
    .other("Variable \(name) is not bound in path template.")
  }
}
