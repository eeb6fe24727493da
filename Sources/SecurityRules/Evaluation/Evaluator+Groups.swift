import HearthDocumentModel

// Methods of lists, sets and maps.
extension Evaluator {
  mutating func apply(
    _ method: Method, to list: RulesList, _ arguments: [RulesValue]
  ) throws(RulesError) -> RulesValue? {
    switch (method, arguments.count) {
    case (.size, 0): return .int(Int64(list.count))
    case (.toSet, 0):
      try handle(list.weight, times: list.count)
      return .set(try RulesSet(list.elements))
    case (.join, 1):
      guard case .string(let separator) = arguments[0] else { return nil }
      return .string(try join(list, separator))
    case (_, 1):
      guard case .list(let other) = arguments[0] else { return nil }
      return try apply(method, to: list, other)
    default: return nil
    }
  }

  private mutating func apply(
    _ method: Method, to list: RulesList, _ other: RulesList
  ) throws(RulesError) -> RulesValue? {
    if method != .concat { try handle(list.weight, times: other.weight) }
    switch method {
    case .concat:
      try make(list.count + other.count)
      return .list(RulesList(list.elements + other.elements))
    case .removeAll:
      var rest: [RulesValue] = []
      for element in list.elements where !(try other.contains(element)) { rest.append(element) }
      return .list(RulesList(rest))
    case .hasAll:
      return .bool(
        try all(of: other.elements) { (e) throws(RulesError) in
          try list.contains(e)
        })
    case .hasAny:
      return .bool(
        try any(of: other.elements) { (e) throws(RulesError) in
          try list.contains(e)
        })
    case .hasOnly:
      return .bool(
        try all(of: list.elements) { (e) throws(RulesError) in
          try other.contains(e)
        })
    default: return nil
    }
  }

  private mutating func join(
    _ list: RulesList, _ separator: String
  ) throws(RulesError) -> String {
    var result = ""
    for (index, element) in list.elements.enumerated() {
      let text = (index > 0 ? separator : "") + (try Conversions.text(of: element))
      try handle(text.utf8.count)
      result += text
    }
    return result
  }

  mutating func apply(
    _ method: Method, to set: RulesSet, _ arguments: [RulesValue]
  ) throws(RulesError) -> RulesValue? {
    if method == .size, arguments.isEmpty { return .int(Int64(set.elements.count)) }
    guard arguments.count == 1 else { return nil }
    let other: RulesSet
    let isSet: Bool
    switch arguments[0] {
    case .set(let set): (other, isSet) = (set, true)
    case .list(let list): (other, isSet) = (RulesSet(distinct: list.elements), false)
    default: return nil
    }
    try handle(set.elements.weight, times: other.elements.weight)
    let isInOther = { (element: RulesValue) throws(RulesError) in try other.contains(element) }
    let isInSet = { (element: RulesValue) throws(RulesError) in try set.contains(element) }
    switch method {
    case .hasAll: return .bool(try all(of: other.elements, isInSet))
    case .hasAny: return .bool(try any(of: other.elements, isInSet))
    case .hasOnly: return .bool(try all(of: set.elements, isInOther))
    case .union where isSet: return .set(try RulesSet(set.elements + other.elements))
    case .intersection where isSet:
      return .set(RulesSet(distinct: try elements(of: set, where: isInOther, equals: true)))
    case .difference where isSet:
      return .set(RulesSet(distinct: try elements(of: set, where: isInOther, equals: false)))
    default: return nil
    }
  }

  private func elements(
    of set: RulesSet, where condition: (RulesValue) throws(RulesError) -> Bool,
    equals wanted: Bool
  ) throws(RulesError) -> [RulesValue] {
    var elements: [RulesValue] = []
    for element in set.elements where try condition(element) == wanted { elements.append(element) }
    return elements
  }

  mutating func apply(
    _ method: Method, to map: RulesMap, _ arguments: [RulesValue]
  ) throws(RulesError) -> RulesValue? {
    switch (method, arguments.count) {
    case (.size, 0): return .int(Int64(try map.count()))
    case (.keys, 0):
      let entries = try map.entries()
      try make(entries.count)
      return .list(RulesList(entries.map { .string($0.key) }))
    case (.values, 0):
      let values = try map.values()
      try make(values.count)
      return .list(RulesList(values))
    case (.get, 2): return try get(arguments[0], of: map, otherwise: arguments[1])
    case (.diff, 1):
      guard case .map(let old) = arguments[0] else { return nil }
      try make(try map.count() + old.count() + map.weight + old.weight)
      return .mapDiff(try MapDifference(from: old, to: map))
    default: return nil
    }
  }

  private func get(
    _ key: RulesValue, of map: RulesMap, otherwise: RulesValue
  ) throws(RulesError) -> RulesValue? {
    switch key {
    case .string(let name): return try map.value(of: name) ?? otherwise
    case .list(let names):
      var value = RulesValue.map(map)
      for name in names.elements {
        guard case .string(let name) = name else {
          throw .type(name.type, expected: "string")
        }
        if case .constraint = value { throw .unknown }
        guard case .map(let inner) = value, let next = try inner.value(of: name) else {
          return otherwise
        }
        value = next
      }
      return value
    default: return nil
    }
  }
}

/// Whether the condition holds for all elements.
///
/// - Throws: `unknown` if it may hold or not for some, and fails for no other.
private func all(
  of elements: [RulesValue], _ condition: (RulesValue) throws(RulesError) -> Bool
) throws(RulesError) -> Bool {
  var isOpen = false
  for element in elements {
    do throws(RulesError) {
      guard try condition(element) else { return false }
    } catch {
      isOpen = true
    }
  }
  if isOpen { throw .unknown }
  return true
}

/// Whether the condition holds for an element.
///
/// - Throws: `unknown` if it may hold or not for some, and holds for no other.
private func any(
  of elements: [RulesValue], _ condition: (RulesValue) throws(RulesError) -> Bool
) throws(RulesError) -> Bool {
  !(try all(of: elements) { (element) throws(RulesError) in !(try condition(element)) })
}
