import HearthDocumentModel

/// A list, of a document or made by an expression.
enum RulesList: Sendable {
  case stored([Value])
  case made([RulesValue], weight: Int)

  /// Creates a list of values.
  init(_ elements: [RulesValue]) {
    self = .made(elements, weight: elements.weight)
  }

  /// The number of values in the list, those inside of others included. The same value may be in
  /// it many times, so that the number can exceed the list's memory by far.
  var weight: Int {
    switch self {
    case .stored(let elements): elements.count
    case .made(_, let weight): weight
    }
  }

  var count: Int {
    switch self {
    case .stored(let elements): elements.count
    case .made(let elements, _): elements.count
    }
  }

  subscript(index: Int) -> RulesValue {
    switch self {
    case .stored(let elements): RulesValue(elements[index])
    case .made(let elements, _): elements[index]
    }
  }

  subscript(range: Range<Int>) -> RulesList {
    switch self {
    case .stored(let elements): .stored(Array(elements[range]))
    case .made(let elements, _): RulesList(Array(elements[range]))
    }
  }

  /// All elements as values.
  var elements: [RulesValue] {
    switch self {
    case .stored(let elements): elements.map(RulesValue.init)
    case .made(let elements, _): elements
    }
  }

  /// Whether an element equals `value`; numbers of two types are never equal here.
  ///
  /// - Throws: `unknown` if no element surely does, and one may.
  func contains(_ value: RulesValue) throws(RulesError) -> Bool {
    var isOpen = false
    for index in 0..<count {
      do throws(RulesError) {
        if try self[index].equals(value, mixing: .never) { return true }
      } catch {
        isOpen = true
      }
    }
    if isOpen { throw .unknown }
    return false
  }
}

/// A list in which every element is different from all others. 1 and 1.0 are the same.
struct RulesSet: Sendable {
  let elements: [RulesValue]

  /// Creates a set of the elements, each once.
  ///
  /// - Complexity: O(*n*²), where *n* is the number of elements.
  init(_ elements: some Sequence<RulesValue>) throws(RulesError) {
    var distinct: [RulesValue] = []
    for element in elements where !(try RulesSet.contains(element, in: distinct)) {
      distinct.append(element)
    }
    self.elements = distinct
  }

  /// Creates a set of elements that are known to differ.
  init(distinct elements: [RulesValue]) {
    self.elements = elements
  }

  func contains(_ value: RulesValue) throws(RulesError) -> Bool {
    try RulesSet.contains(value, in: elements)
  }

  private static func contains(
    _ value: RulesValue, in elements: [RulesValue]
  ) throws(RulesError) -> Bool {
    for element in elements where try element.equals(value, mixing: .everywhere) { return true }
    return false
  }
}
