/// An expression, or the body of a function, with its outcomes and its parts.
public struct CoverageNode: Sendable {
  /// An outcome.
  public enum Outcome: Sendable, Equatable {
    /// A value, without the contents of a list or a map.
    case value(TracedValue)
    /// The text of an error; `nil` if a query leaves the value open.
    case error(String?)
    /// No evaluation, where the expression around had one.
    case skipped
  }

  /// The place.
  public let range: SourceRange
  /// The different outcomes with their numbers; none for what was never reached.
  public let outcomes: [(outcome: Outcome, count: Int)]
  /// The parts in the order of the text.
  public let children: [CoverageNode]
}

extension RulesCoverage {
  /// The outcomes as a tree, in the order of the text: the bodies of the functions that ran, and
  /// the conditions of all statements.
  public var nodes: [CoverageNode] {
    var list = expressions.map {
      Counted(range: $0.range, isBody: false, counts: $0.outcomes)
    }
    list += zip(ruleset.program.functions, results).map { function, counts in
      Counted(range: function.body, isBody: true, counts: counts)
    }
    list.sort { $0.rank < $1.rank }
    var rest = list[...]
    return RulesCoverage.takeNodes(of: &rest, below: nil)
  }

  private struct Counted {
    let range: SourceRange
    let isBody: Bool
    let counts: OutcomeCounts

    /// The rank in the order: first the place, and then a body before the result in it.
    var rank: (Int, Int, Int) { (range.start.offset, -range.endOffset, isBody ? 0 : 1) }
  }

  /// Takes the list inside of another one, or all.
  private static func takeNodes(
    of list: inout ArraySlice<Counted>, below parent: Counted?
  ) -> [CoverageNode] {
    var nodes: [CoverageNode] = []
    while let item = list.first {
      if let parent, item.range.endOffset > parent.range.endOffset { break }
      list.removeFirst()
      let children = takeNodes(of: &list, below: item)
      // A function that didn't run has no node.
      guard !item.isBody || item.counts.count > 0 else { continue }
      nodes.append(
        CoverageNode(
          range: item.range,
          outcomes: item.counts.outcomes(of: max(parent?.counts.count ?? 0, item.counts.count)),
          children: children))
    }
    return nodes
  }
}

extension OutcomeCounts {
  /// Returns the different outcomes of an expression that could have been evaluated `total` times.
  fileprivate func outcomes(of total: Int) -> [(outcome: CoverageNode.Outcome, count: Int)] {
    var outcomes: [(CoverageNode.Outcome, Int)] = [
      (.value(.bool(true)), trueCount), (.value(.bool(false)), falseCount),
    ]
    outcomes += values.map { (.value($0.value), $0.count) }
    outcomes += errors.map { (.error($0.error.text), $0.count) }
    outcomes.append((.skipped, total - count))
    return outcomes.filter { $0.1 > 0 }
  }
}
