/// The outcomes of all expressions of a judgement, in the order in which they were found.
final class Trace {
  private(set) var outcomes: [(id: ExpressionID, outcome: Evaluator.Outcome)] = []

  func append(_ id: ExpressionID, _ outcome: Evaluator.Outcome) {
    outcomes.append((id, outcome))
  }
}
