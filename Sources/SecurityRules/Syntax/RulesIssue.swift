/// A fault that the compiler found in a file of rules.
public struct RulesIssue: Sendable, Hashable {
  /// The weight of a fault.
  public enum Severity: String, Sendable, Hashable {
    /// The file compiles, and is perhaps not what was meant.
    case warning = "WARNING"
    /// The file does not compile.
    case error = "ERROR"
  }

  /// The place of the fault.
  public let position: SourcePosition
  /// The number of UTF-16 units before the last character that the fault concerns.
  public let endOffset: Int
  /// The fault, in production's words where it has any.
  public let description: String
  /// The weight.
  public let severity: Severity

  init(_ severity: Severity, _ description: String, at range: SourceRange) {
    self.severity = severity
    self.description = description
    position = range.start
    endOffset = range.endOffset
  }

  /// The fault with its place, as a line of a refusal: `L4:12 Unexpected ';'.`
  public var line: String { "L\(position.line):\(position.column) \(description)" }
}

/// The refusal of a file of rules, with all faults in the order of their places.
public struct RulesetError: Error, Sendable, CustomStringConvertible {
  /// The faults, warnings included. At least one is an error.
  public let issues: [RulesIssue]

  /// The text of the answer to an upload.
  public var description: String {
    "Error compiling rules:\n" + issues.map(\.line).joined(separator: "\n")
  }
}

extension [RulesIssue] {
  /// The issues by place, each once.
  func sortedByPosition() -> [RulesIssue] {
    var seen: Set<RulesIssue> = []
    return filter { seen.insert($0).inserted }.enumerated()
      .sorted { ($0.element.position, $0.offset) < ($1.element.position, $1.offset) }
      .map(\.element)
  }
}
