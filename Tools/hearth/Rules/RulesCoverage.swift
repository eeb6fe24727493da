import Hearth
import HearthSecurityRules

/// The outcomes of the expressions of a file over all cases.
struct RulesCoverage {
  /// The outcomes of one expression.
  struct Tally {
    let range: SourceRange
    fileprivate(set) var trueCount = 0
    fileprivate(set) var falseCount = 0
    /// The number of errors, and of values that a query leaves open.
    fileprivate(set) var errorCount = 0
    /// The number of values that are neither true nor false.
    fileprivate(set) var otherCount = 0
    fileprivate var isConstant = false
  }

  /// The part of its outcomes that an expression has shown.
  enum State: String, CaseIterable {
    /// It was not evaluated.
    case never
    case onlyTrue = "only true"
    case onlyFalse = "only false"
    /// It was evaluated, with errors alone.
    case onlyErrors = "only errors"
    /// It was both true and false.
    case both
    /// It has a value of another type, or is a constant.
    case evaluated
  }

  /// All expressions in the order of the text.
  private(set) var expressions: [Tally]

  init(of ruleset: Ruleset) {
    expressions = ruleset.expressions.map { Tally(range: $0) }
  }

  /// Adds the outcomes of traced decisions.
  mutating func add(_ decisions: [Decision]) {
    let places = Dictionary(
      uniqueKeysWithValues: expressions.enumerated().map { ($0.element.range, $0.offset) })
    for expression in decisions.lazy.flatMap(\.trace) {
      guard let place = places[expression.range] else { continue }
      // A path has the range of its constant segments.
      guard !expression.isConstant || expressions[place].isOnlyConstant else { continue }
      expressions[place].add(expression)
    }
  }

  /// The expressions to show: those that can be true and false, had only errors, or were never
  /// evaluated. One of the last two kinds stands for its parts in the same state.
  var notable: [Tally] {
    var ends: [State: Int] = [:]
    return expressions.filter { row in
      switch row.state {
      case .evaluated: return false
      case .never, .onlyErrors:
        guard row.range.endOffset > ends[row.state] ?? -1 else { return false }
        ends[row.state] = row.range.endOffset
        return true
      default: return true
      }
    }
  }

  /// Returns the number of expressions in a state.
  func count(_ state: State) -> Int { expressions.count { $0.state == state } }
}

extension RulesCoverage.Tally {
  var state: RulesCoverage.State {
    if isConstant { return .evaluated }
    switch (trueCount > 0, falseCount > 0) {
    case (true, true): return .both
    case (true, false): return .onlyTrue
    case (false, true): return .onlyFalse
    case (false, false):
      if otherCount > 0 { return .evaluated }
      return errorCount > 0 ? .onlyErrors : .never
    }
  }

  /// Whether no outcome but those of a constant was added.
  fileprivate var isOnlyConstant: Bool {
    isConstant || trueCount + falseCount + errorCount + otherCount == 0
  }

  fileprivate mutating func add(_ expression: TracedExpression) {
    if isConstant, !expression.isConstant { self = RulesCoverage.Tally(range: range) }
    isConstant = expression.isConstant
    switch expression.outcome {
    case .value(.bool(true)): trueCount += 1
    case .value(.bool(false)): falseCount += 1
    case .value: otherCount += 1
    case .error: errorCount += 1
    }
  }
}
