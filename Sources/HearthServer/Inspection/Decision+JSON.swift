import HearthDocumentModel
import HearthFirestoreJSON
import HearthSecurityRules

extension Decision {
  /// The decision with the statements that were tried and the values of their expressions. Places
  /// are counted in UTF-16 units.
  var json: JSONValue {
    var members: [(String, JSONValue)] = [
      ("allowed", .boolean(isAllowed)), ("statements", .array(items.map(json))),
      ("documentsRead", .array(documentsRead.map { .string($0.description) })),
    ]
    if !isAllowed { members.append(("explanation", .string(explanation))) }
    return .object(members)
  }

  private func json(of item: Item) -> JSONValue {
    var members: [(String, JSONValue)] = [
      ("line", .integer(Int64(item.line))), ("method", .string(item.method.rawValue)),
      ("allowed", .boolean(item.reason == nil)),
    ]
    if let reason = item.reason { members.append(("reason", .string(reason))) }
    let expressions = trace[item.traced].filter { !$0.isConstant }.map(\.json)
    return .object(members + [("expressions", .array(expressions))])
  }
}

extension TracedExpression {
  fileprivate var json: JSONValue {
    let place: [(String, JSONValue)] = [
      ("line", .integer(Int64(range.start.line))),
      ("startOffset", .integer(Int64(range.start.offset))),
      ("endOffset", .integer(Int64(range.endOffset + 1))),
    ]
    switch outcome {
    case .value(let value): return .object(place + [("value", .string(value.shortText))])
    case .error(let text): return .object(place + [("error", .string(text ?? "unknown"))])
    }
  }
}

extension TracedValue {
  /// The value on one line, cut after a hundred characters.
  fileprivate var shortText: String {
    let text = "\(plain)"
    return text.count > 100 ? text.prefix(99) + "…" : text
  }

  private var plain: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .int(let value): "\(value)"
    case .float(let value): "\(value)"
    case .string(let value): "\"\(value)\""
    case .timestamp(let seconds, let nanoseconds): "\(seconds).\(nanoseconds) s"
    case .path(let segments): segments.map { "/\($0)" }.joined()
    case .list(let elements): "[\(elements.map(\.plain).joined(separator: ", "))]"
    case .map(let entries):
      "{\(entries.sorted { $0.key < $1.key }.map { "\($0): \($1.plain)" }.joined(separator: ", "))}"
    case .other(let type): "<\(type)>"
    }
  }
}
