import Hearth
import HearthRules

/// A part of a call that security rules refuse, as the log tells of it: the method, the place of
/// the data, and each statement that was tried.
struct DeniedOperation {
  /// Values of expressions that are told of one refusal.
  private static let valueLimit = 50
  /// Characters of a value that are told.
  private static let lengthLimit = 500

  private let operation: RulesRefusal.Operation
  /// Whether ids of documents, whole reasons and the values of expressions are told. They may be
  /// private.
  private let showsValues: Bool

  init(_ operation: RulesRefusal.Operation, showsValues: Bool) {
    (self.operation, self.showsValues) = (operation, showsValues)
  }

  /// The message for a person. Values are on lines of their own.
  var text: String {
    let reasons = operation.items.compactMap { item in
      item.reason.map { "line \(item.line): \(shown($0))" }
    }
    let why = reasons.isEmpty ? "no statement allows it" : reasons.joined(separator: "; ")
    let head = "\(operation.method.rawValue) \(place). \(why)".printable
    return ([head] + values.map { "  \($0)".printable }).joined(separator: "\n")
  }

  /// The members of the message for a program.
  var members: JSONLine {
    let statements = operation.items.compactMap { item in
      item.reason.map { reason -> JSONLine in ["line": item.line, "reason": shown(reason)] }
    }
    return [
      "method": operation.method.rawValue, "path": place, "statements": statements,
      "values": showsValues ? values : nil,
    ]
  }

  /// The path, with `?` in place of each document's id.
  private var place: String {
    guard !showsValues else { return operation.path.description }
    return operation.path.segments.enumerated().map { $0.offset % 2 == 0 ? $0.element : "?" }
      .joined(separator: "/")
  }

  /// The kind of an error is its first sentence; the rest may have values.
  private func shown(_ reason: String) -> String {
    showsValues ? reason : String(reason.prefix { $0 != "." && $0 != ":" })
  }

  /// The values of the expressions, the last ones if there are many.
  private var values: [String] {
    guard showsValues else { return [] }
    return operation.trace.suffix(DeniedOperation.valueLimit).map { expression in
      let start = expression.range.start
      let value = expression.outcome.text.prefix(DeniedOperation.lengthLimit)
      return "\(start.line):\(start.column) is \(value)"
    }
  }
}

extension TracedExpression.Outcome {
  /// The value as rules write it, or the error.
  fileprivate var text: String {
    switch self {
    case .value(let value): value.text
    case .error(let text): text.map { "an error: \($0)" } ?? "unknown"
    }
  }
}
