/// One expression of a ruleset, with its outcomes.
public struct CoveredExpression: Sendable {
  /// The part of its outcomes that an expression has shown.
  public enum State: String, Sendable, CaseIterable {
    /// It was not evaluated.
    case unreached = "never"
    /// It was true, and never false.
    case onlyTrue = "only true"
    /// It was false, and never true.
    case onlyFalse = "only false"
    /// It was evaluated, with errors alone.
    case onlyErrors = "only errors"
    /// It was both true and false.
    case both
    /// It has a value of another type, or is a constant.
    case evaluated
  }

  /// The place of the expression.
  public let range: SourceRange
  /// Whether the text alone tells the value.
  public let isConstant: Bool
  /// The outcomes.
  public let outcomes: OutcomeCounts

  /// The state.
  public var state: State {
    switch (outcomes.trueCount > 0, outcomes.falseCount > 0) {
    case _ where isConstant: return outcomes.count > 0 ? .evaluated : .unreached
    case (true, true): return .both
    case (true, false): return .onlyTrue
    case (false, true): return .onlyFalse
    case (false, false):
      if outcomes.otherCount > 0 { return .evaluated }
      return outcomes.errorCount > 0 ? .onlyErrors : .unreached
    }
  }
}

extension CoveredExpression {
  /// The expressions to show: those that can be true and false, had only errors, or were never
  /// evaluated. One of the last two kinds stands for its parts in the same state.
  public static func notable(in all: [CoveredExpression]) -> [CoveredExpression] {
    var ends: [CoveredExpression.State: Int] = [:]
    return all.filter { expression in
      let state = expression.state
      switch state {
      case .evaluated: return false
      case .unreached, .onlyErrors:
        guard expression.range.endOffset > ends[state] ?? -1 else { return false }
        ends[state] = expression.range.endOffset
        return true
      default: return true
      }
    }
  }

  /// Returns the number of expressions in a state.
  public static func count(_ state: State, in all: [CoveredExpression]) -> Int {
    all.count { $0.state == state }
  }
}
