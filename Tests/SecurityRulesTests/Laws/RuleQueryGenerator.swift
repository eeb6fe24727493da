import HearthDocumentModel
import HearthQueryPlanning
import TestSupport

/// Makes random rules and queries about the same few fields, and documents with these.
///
/// No float in it equals an integer: a condition on a number finds both kinds, and a rule that then
/// tells them apart, as `is int` does, goes by the kind in the query.
struct RuleQueryGenerator {
  private var random: SplitMix64
  private let fields = ["x", "y", "t", "m.k", "m"]
  /// The conditions of the query, for rules that ask the same or nearly so.
  private var filters: [Filter] = []

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
  }

  // MARK: Documents

  private mutating func scalar() -> Value {
    random.pick([
      0, 1, 2, 3, 1.5, 2.5, "a", "b", "c", true, false, .null,
      .timestamp(.minimum), .double(.nan), "\u{E000}", "😀",
    ])
  }

  private mutating func value(of field: String) -> Value {
    switch field {
    case "t":
      return random.oneIn(6)
        ? scalar() : .array((0..<Int.random(in: 0...2, using: &random)).map { _ in scalar() })
    case "m":
      let names = ["k", "z"].filter { _ in random.oneIn(2) }
      return .map(MapValue(names.map { ($0, scalar()) }))
    default: return scalar()
    }
  }

  mutating func document() throws -> Document {
    var fields = MapValue()
    for name in ["x", "y", "t", "m", "w"] where !random.oneIn(4) {
      fields[name] = value(of: name)
    }
    let path = random.pick(["c/a", "c/b", "c/c", "p/a/c/a"])
    return Document(
      path: try ResourcePath(path), fields: fields, createTime: .minimum, updateTime: .minimum)
  }

  // MARK: Queries

  mutating func query() -> StructuredQuery {
    filters = (0..<Int.random(in: 0...3, using: &random)).map { _ in filter() }
    let all: Filter? =
      filters.isEmpty ? nil : random.oneIn(4) ? .or(filters) : .and(filters)
    return StructuredQuery(
      collectionID: "c", allDescendants: random.oneIn(3), filter: all,
      limit: random.oneIn(3) ? Int.random(in: 1...10, using: &random) : nil)
  }

  private mutating func filter() -> Filter {
    let name = random.pick(fields)
    let field = FieldPath(unchecked: name.split(separator: ".").map(String.init))
    switch Int.random(in: 0..<14, using: &random) {
    case 0..<5: return .field(field, .equal, value(of: name))
    case 5..<9:
      let comparison = random.pick([
        Filter.Comparison.lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual, .notEqual,
      ])
      return .field(field, comparison, value(of: name))
    case 9: return .field(FieldPath(unchecked: ["t"]), .arrayContains, scalar())
    case 10:
      let values = (0..<2).map { _ in scalar() }
      return .field(FieldPath(unchecked: ["t"]), .arrayContainsAny, .array(values))
    case 11:
      let values = (0..<Int.random(in: 1...2, using: &random)).map { _ in value(of: name) }
      return .field(field, random.oneIn(2) ? .in : .notIn, .array(values))
    case 12:
      return .unary(field, random.pick(Filter.UnaryTest.allCases))
    default:
      let path = ResourcePath(unchecked: ["c", random.pick(["a", "b"])])
      return .field(
        .documentID, random.pick([.equal, .greaterThan]),
        .reference(DocumentName(unchecked: path, in: .default)))
    }
  }

  // MARK: Rules

  mutating func rules() -> String {
    let match = random.pick([
      "/c/{i}", "/c/{i}", "/{p=**}/c/{i}", "/{p=**}/c/{i}", "/{p=**}/c/{i}", "/{p=**}", "/{i}/{j}",
      "/c/a", "/p/{i}/c/{j}",
    ])
    let statements = (0..<Int.random(in: 1...2, using: &random)).map { _ in
      "allow list: if \(condition(depth: 2));"
    }
    let result = random.pick(["a == b", "c != b", "c in b", "b in a"])
    return """
      rules_version = '2';
      service cloud.firestore { match /databases/{db}/documents {
        function f(a, b) { let c = a; return \(result); }
        match \(match) { \(statements.joined(separator: " ")) }
      } }
      """
  }

  private mutating func condition(depth: Int) -> String {
    guard depth > 0, !random.oneIn(3) else { return atom() }
    let (left, right) = (condition(depth: depth - 1), condition(depth: depth - 1))
    switch Int.random(in: 0..<8, using: &random) {
    case 0..<3: return "(\(left) && \(right))"
    case 3..<6: return "(\(left) || \(right))"
    case 6: return "!(\(left))"
    default: return "(\(left) ? \(right) : \(condition(depth: depth - 1)))"
    }
  }

  private mutating func literal() -> String {
    random.pick([
      "0", "1", "2", "3", "1.5", "2.5", "'a'", "'b'", "'c'", "true", "false", "null",
      "request.auth.uid", "request.time", "i", "resource.id", "'\\uE000'", "'\\uD83D\\uDE00'",
      "[1]", "['a', 'b']", "{'k': 1}", "resource.data.y",
    ])
  }

  /// Returns a condition of the query as rules write it, or one like it.
  private mutating func echo(of filter: Filter) -> String? {
    guard case .field(let field, let comparison, let operand) = filter else { return nil }
    let name = field.isDocumentID ? "resource.id" : "resource.data.\(field)"
    guard let value = random.oneIn(4) ? literal() : text(of: operand) else { return nil }
    switch comparison {
    case .equal, .notEqual, .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual:
      let other = random.pick(["==", "!=", "<", "<=", ">", ">="])
      return "\(name) \(random.oneIn(2) ? other : comparison.rawValue) \(value)"
    case .arrayContains: return "\(value) in \(name)"
    case .arrayContainsAny: return "\(name).hasAny(\(value))"
    case .in: return "\(name) in \(value)"
    case .notIn: return "!(\(name) in \(value))"
    }
  }

  private func text(of value: Value) -> String? {
    switch value {
    case .null: return "null"
    case .boolean(let value): return "\(value)"
    case .integer(let value): return "\(value)"
    case .double(let value): return value.isNaN ? nil : "\(value)"
    case .string(let value): return "'\(value)'"
    case .array(let elements):
      return "[\(elements.compactMap { text(of: $0) }.joined(separator: ", "))]"
    case .map(let fields):
      let entries = fields.compactMap { field in
        text(of: field.value).map { "'\(field.name)': \($0)" }
      }
      return "{\(entries.joined(separator: ", "))}"
    case .reference(let name): return name.path.lastSegment.map { "'\($0)'" }
    default: return nil
    }
  }

  private mutating func atom() -> String {
    if !random.oneIn(3), let filter = filters.randomElement(using: &random),
      let echo = echo(of: filter)
    {
      return echo
    }
    let field =
      "resource.data." + random.pick(["x", "x", "y", "t", "m.k", "m", "w"])
    let name = random.pick(["x", "y", "t", "m", "w"])
    switch Int.random(in: 0..<24, using: &random) {
    case 0..<5: return "\(field) == \(literal())"
    case 5..<8: return "\(field) != \(literal())"
    case 8..<12:
      let operation = random.pick(["<", "<=", ">", ">="])
      return random.oneIn(2)
        ? "\(field) \(operation) \(literal())" : "\(literal()) \(operation) \(field)"
    case 12: return "\(literal()) in \(field)"
    case 13: return "\(field) in [\(literal()), \(literal())]"
    case 14: return "'\(name)' in resource.data"
    case 15: return "resource.data.get('\(name)', \(literal())) == \(literal())"
    case 16: return "resource.data.keys().hasOnly(['x', '\(name)'])"
    case 17: return "\(field).hasAny([\(literal()), \(literal())])"
    case 18: return "\(field) is \(random.pick(["int", "string", "list", "map", "bool"]))"
    case 19: return "[\(field)] == [\(literal())]"
    case 20: return "resource.data.size() == \(literal())"
    case 21: return "f(\(field), \(literal()))"
    case 22: return "{'a': \(field)} != {'a': \(literal())}"
    default:
      return random.pick([
        "true", "resource == null", "resource != null", "i == 'a'", "p == /c", "p[0] == 'c'",
        "resource.data == {'x': 1}", "request.query.limit < 5", "j == 'a'",
        "resource.data.diff({'x': 1}).affectedKeys().size() == 0", "resource.id == 'a'",
        "resource.data.m.get('z', 1) == 1", "!('z' in resource.data.m)",
        "resource.__name__ == /databases/(default)/documents/c/a",
      ])
    }
  }
}
