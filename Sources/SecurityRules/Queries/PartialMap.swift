import HearthDocumentModel
import HearthQueryPlanning

/// The fields that every result of a query shares, as far as its conditions tell.
///
/// All other fields are unknown: asking for one is an error, and never the answer that it isn't
/// there.
final class PartialMap: MemberSource {
  private let known: [RulesMap.Entry]

  private init(_ known: [RulesMap.Entry]) {
    self.known = known
  }

  /// Creates the map of the fields that a conjunction of conditions constrains.
  convenience init(_ conditions: [Filter]) {
    var root = Node()
    for condition in conditions {
      guard let field = condition.field, !field.isDocumentID else { continue }
      root.add(condition, at: field.names[...])
    }
    self.init(root.entries)
  }

  func value(of name: String) throws(RulesError) -> RulesValue? {
    guard let entry = known.first(where: { $0.key.utf8Equal(name) }) else { throw .unknown }
    return entry.value
  }

  func entries() throws(RulesError) -> [RulesMap.Entry] { throw .unknown }

  /// The conditions on a field, and those on fields inside it.
  private struct Node {
    var conditions: [Filter] = []
    var children: [(name: String, node: Node)] = []

    mutating func add(_ condition: Filter, at names: ArraySlice<String>) {
      guard let name = names.first else {
        conditions.append(condition)
        return
      }
      let index = children.firstIndex { $0.name.utf8Equal(name) } ?? children.count
      if index == children.count { children.append((name, Node())) }
      children[index].node.add(condition, at: names.dropFirst())
    }

    var entries: [RulesMap.Entry] {
      children.map { ($0.name, $0.node.value) }
    }

    private var value: RulesValue {
      if conditions.count == 1, let value = conditions[0].fixedValue { return value }
      guard children.isEmpty else { return .map(.object(PartialMap(entries))) }
      return .constraint(Constraint(conditions: conditions))
    }
  }
}

extension Filter {
  /// The value to which the condition fixes its field; `nil` for any other condition.
  fileprivate var fixedValue: RulesValue? {
    switch self {
    case .field(_, .equal, let operand) where !operand.equalsNothing: RulesValue(operand)
    case .unary(_, .isNull): .null
    case .unary(_, .isNaN): .float(.nan)
    default: nil
    }
  }
}
