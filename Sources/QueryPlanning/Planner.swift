package import DocumentModel

/// Chooses the indexes that a query reads, or says which one it lacks (§5).
///
/// The verdict depends on the query's fields and the indexes, never on values, cursors or limits.
package enum Planner {
  /// - Throws: `failedPrecondition` with the missing index as details (§6.1).
  package static func plan(
    _ query: NormalizedQuery, indexes: IndexSet
  ) throws(DatabaseError) -> Plan {
    let requirement = IndexRequirement(query)
    let candidates = indexes.candidates(for: requirement)
    guard let choice = requirement.choice(from: candidates) else {
      throw .missingIndex(
        IndexSuggestion(requirement, candidates: candidates), of: query, candidates: candidates)
    }
    return PlanBuilder(query: query, requirement: requirement).plan(choice)
  }
}

/// An index that was chosen, and what it does in the plan.
struct ChosenIndex: Equatable {
  let candidate: IndexCandidate
  let match: IndexMatch
}

extension IndexRequirement {
  /// The one index that serves alone, or the members of a merge, or `nil` (§5.3, §5.5).
  func choice(from candidates: [IndexCandidate]) -> [ChosenIndex]? {
    var best: ChosenIndex?
    for candidate in candidates where candidate.state == .ready {
      guard let match = match(alone: candidate.index) else { continue }
      if let best, !candidate.isPreferred(over: best.candidate) { continue }
      best = ChosenIndex(candidate: candidate, match: match)
    }
    return best.map { [$0] } ?? merge(of: candidates)
  }

  /// Takes whatever covers most of what is still uncovered, until nothing is (§5.5).
  private func merge(of candidates: [IndexCandidate]) -> [ChosenIndex]? {
    var usable: [ChosenIndex] = []
    for candidate in candidates where candidate.state == .ready {
      guard let match = match(merged: candidate.index), !match.covered.isEmpty else { continue }
      usable.append(ChosenIndex(candidate: candidate, match: match))
    }
    usable.sort { $0.candidate.isPreferred(over: $1.candidate) }
    var uncovered = all.subtracting(leading)
    var members: [ChosenIndex] = []
    while !uncovered.isEmpty {
      var best: ChosenIndex?
      var bestCount = 0
      for member in usable {
        let count = member.match.covered.intersection(uncovered).count
        if count > bestCount { (best, bestCount) = (member, count) }
      }
      guard let best else { return nil }
      members.append(best)
      uncovered = uncovered.subtracting(best.match.covered)
    }
    return members.isEmpty ? nil : members
  }
}
