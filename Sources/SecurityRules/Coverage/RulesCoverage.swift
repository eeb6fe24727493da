import Synchronization

/// The outcomes of a ruleset's expressions over the decisions that are made by it.
///
/// Any number of threads may use one at once.
public final class RulesCoverage: Sendable {
  /// The rules.
  public let ruleset: Ruleset
  /// The outcomes of all expressions by their numbers; none before the first decision.
  private let counts = Mutex<[OutcomeCounts]>([])

  /// Creates the coverage of rules by no decision.
  public init(of ruleset: Ruleset) {
    self.ruleset = ruleset
  }

  /// Judges one operation of a request, and adds the outcomes of the expressions.
  ///
  /// - Throws: the error of a document that could not be read.
  public func decide(
    _ operation: RulesOperation, of request: RulesRequest
  ) throws -> Decision {
    let trace = Trace()
    let decision = try ruleset.decide(operation, of: request, in: trace)
    counts.withLock { counts in
      if counts.isEmpty {
        counts = Array(repeating: OutcomeCounts(), count: ruleset.program.instructions.count)
      }
      for (id, outcome) in trace.outcomes { counts[Int(id.index)].add(outcome) }
    }
    return decision
  }

  /// Whether a decision was made.
  public var hasDecisions: Bool { counts.withLock { !$0.isEmpty } }

  /// All expressions, in the order of ``Ruleset/expressions``.
  public var expressions: [CoveredExpression] {
    let counts = counts.withLock(\.self)
    let program = ruleset.program
    return program.listed.map { id in
      CoveredExpression(
        range: program.ranges[Int(id.index)], isConstant: program[id].isConstant,
        outcomes: counts.isEmpty ? OutcomeCounts() : counts[Int(id.index)])
    }
  }

  /// The outcomes of the result of each function, in the order of the program's functions.
  var results: [OutcomeCounts] {
    let counts = counts.withLock(\.self)
    return ruleset.program.functions.map { function in
      counts.isEmpty ? OutcomeCounts() : counts[Int(function.result.index)]
    }
  }
}
