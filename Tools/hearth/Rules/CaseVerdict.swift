import Hearth
import HearthSecurityRules

/// The decision on a case beside what the case expects.
struct CaseVerdict {
  let subject: RulesCase
  let decision: Decision
  let nanoseconds: Int64

  /// Judges a case.
  init(of subject: RulesCase, by ruleset: Ruleset) throws {
    let start = ContinuousClock.now
    decision = try subject.decision(by: ruleset)
    nanoseconds = Int64(start.duration(to: .now) / .nanoseconds(1))
    self.subject = subject
  }

  var isExpected: Bool { subject.expectsAllowed == decision.isAllowed }

  /// The fault of a case that fails: `expected deny, but it is allowed`.
  var fault: String {
    let expected = subject.expectsAllowed == true ? "allow" : "deny"
    return "expected \(expected), but it is \(decision.isAllowed ? "allowed" : "denied")"
  }

  /// Returns the statements that were tried, a line for each, with the reason and the statement's
  /// text.
  func reasons(in source: RulesSource) -> [String] {
    guard !decision.items.isEmpty else { return ["\(decision.explanation)."] }
    return decision.items.map { item in
      "\(source.name):\(item.line): \(item.outcome): "
        + source.text(ofLine: item.line).printable.cut(toWidth: 80)
    }
  }

  var json: JSONLine {
    [
      "line": subject.line, "name": subject.name, "passed": isExpected,
      "expected": subject.expectsAllowed == true ? "allow" : "deny",
      "decision": decision.isAllowed ? "allow" : "deny",
      "statements": decision.items.map(\.json),
    ]
  }
}

extension Decision.Item {
  /// The statement's outcome: `denied (false)`.
  var outcome: String {
    reason.map { "denied (\($0.printable.withoutFullStop))" } ?? "allowed"
  }

  /// The statement's outcome for a program.
  var json: JSONLine {
    ["line": line, "method": method.rawValue, "allowed": reason == nil, "reason": reason]
  }
}
