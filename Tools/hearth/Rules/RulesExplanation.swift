import Hearth
import HearthSecurityRules

/// A traced decision, for people and for programs.
struct RulesExplanation {
  private let decision: Decision
  /// The name of the request.
  private let name: String
  private let source: RulesSource

  init(_ decision: Decision, of name: String, in source: RulesSource) {
    (self.decision, self.name, self.source) = (decision, name, source)
  }

  // MARK: Text

  func text(_ style: OutputStyle) -> String {
    let isAllowed = decision.isAllowed
    let verdict = isAllowed ? style.text.green("allowed") : style.text.red("denied")
    var text = "\(name.printable): \(verdict)\n"
    for item in decision.items { text += "\n" + self.text(of: item, style) }
    if decision.items.isEmpty { text += "\n\(decision.explanation)\n" }
    if !documentsRead.isEmpty {
      text += "\nDocuments read\n"
      for path in documentsRead { text += "  \(path.printable)\n" }
    }
    return text
  }

  /// The paths of the documents that rules have read, each once, whether before or after the
  /// request.
  private var documentsRead: [String] {
    var seen: Set<ResourcePath> = []
    return decision.documentsRead.filter { seen.insert($0).inserted }.map(\.description)
  }

  private func text(of item: Decision.Item, _ style: OutputStyle) -> String {
    let head = "\(source.name):\(item.line): \(item.method.rawValue) \(item.outcome)"
    let rows = expressions(of: item).compactMap(row)
    let placeWidth = rows.map(\.place.count).max() ?? 0
    let valueWidth = rows.map(\.value.displayWidth).max() ?? 0
    var text = style.text.bold(head) + "\n"
    for row in rows {
      let gap = String(repeating: " ", count: placeWidth - row.place.count)
      let padding = String(repeating: " ", count: valueWidth - row.value.displayWidth)
      let line = "  \(gap)\(row.place)  \(row.value)\(padding)  \(row.text)"
      text += (style.width.map { line.cut(toWidth: $0) } ?? line) + "\n"
    }
    return text
  }

  /// Returns the cells of an expression; `nil` for `request` and `resource`, whose members tell
  /// more. A long value stands after the text.
  private func row(
    of expression: TracedExpression, depth: Int
  ) -> (place: String, value: String, text: String)? {
    let place = expression.range.start
    var text = source.text(of: expression.range).printable
    let value: String
    switch expression.outcome {
    case .error(let reason):
      value = reason == nil ? "unknown" : "error"
      if let reason { text += "  (\(reason.printable.withoutFullStop))" }
    case .value(.other(type: "map"))
    where ["request", "resource", "request.resource"].contains(text):
      return nil
    case .value(let found) where found.text.displayWidth > RulesExplanation.valueWidth:
      value = "…"
      text += "  (\(found.text.cut(toWidth: RulesExplanation.textWidth)))"
    case .value(let found): value = found.text
    }
    let indent = String(repeating: "  ", count: min(depth, RulesExplanation.depthLimit))
    return ("\(place.line):\(place.column)", value, indent + text)
  }

  /// The widest value that stands before the text.
  private static let valueWidth = 20
  private static let textWidth = 200
  private static let depthLimit = 12

  // MARK: Expressions

  /// Returns the expressions of a statement: the condition with its parts below it, then those of
  /// functions in the order of the text. Constants are left out.
  private func expressions(
    of item: Decision.Item
  ) -> [(expression: TracedExpression, depth: Int)] {
    let traced = decision.trace[item.traced]
    guard let condition = traced.last else { return [] }
    let ordered = traced.dropLast().filter { !$0.isConstant }.enumerated().sorted {
      $0.element.range.isBefore($1.element.range, $0.offset < $1.offset)
    }.map(\.element)
    let inner = ordered.filter { condition.range.contains($0.range) }
    let outer = ordered.filter { !condition.range.contains($0.range) }
    var around: [SourceRange] = []
    return ([condition] + inner + outer).map { expression in
      let range = expression.range
      // An expression that was evaluated twice isn't below itself.
      while let last = around.last, last == range || !last.contains(range) {
        around.removeLast()
      }
      defer { around.append(range) }
      return (expression, around.count)
    }
  }

  // MARK: JSON

  var json: JSONLine {
    [
      "name": name, "decision": decision.isAllowed ? "allow" : "deny",
      "statements": decision.items.map { item in
        item.json + ["expressions": expressions(of: item).map { json(of: $0.expression) }]
      },
      "documentsRead": documentsRead,
    ]
  }

  private func json(of expression: TracedExpression) -> JSONLine {
    let place: JSONLine = [
      "line": expression.range.start.line, "column": expression.range.start.column,
      "text": source.text(of: expression.range),
    ]
    switch expression.outcome {
    case .value(let value): return place + ["value": value]
    case .error(let text): return place + ["error": text ?? "unknown"]
    }
  }
}

extension SourceRange {
  /// Whether this range stands before another one: it begins earlier, or it holds the other. Equal
  /// ranges are ordered by `isEarlier`.
  fileprivate func isBefore(_ other: SourceRange, _ isEarlier: Bool) -> Bool {
    if start.offset != other.start.offset { return start.offset < other.start.offset }
    return endOffset == other.endOffset ? isEarlier : endOffset > other.endOffset
  }

  func contains(_ other: SourceRange) -> Bool {
    start.offset <= other.start.offset && other.endOffset <= endOffset
  }
}
