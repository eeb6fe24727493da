package import DocumentModel

/// Chooses the indexes that a query reads, or reports the one that it lacks (§5).
///
/// The choice depends on the query's fields and the indexes, never on values, cursors or limits.
package enum Planner {
  /// - Throws: `failedPrecondition` with the missing index as details (§6.1). It is the index of
  ///   the filter's first alternative that no index serves.
  package static func plan(
    _ query: NormalizedQuery, indexes: IndexSet
  ) throws(DatabaseError) -> Plan {
    try template(for: query, indexes: indexes).bind(query)
  }

  /// Returns the plan without the query's values.
  ///
  /// - Throws: as for `plan(_:indexes:)`.
  package static func template(
    for query: NormalizedQuery, indexes: IndexSet
  ) throws(DatabaseError) -> PlanTemplate {
    let orders = query.mergeOrders
    var branches: [PlanTemplate.Branch] = []
    // Alternatives that differ only in values are served alike.
    var last: Conjunction.Form?
    for conjunction in query.disjuncts {
      let form = conjunction.form
      if let same = branches.last, last == form {
        branches.append(same)
        continue
      }
      let requirement = IndexRequirement(query, form)
      let members = try choice(for: requirement, of: query, indexes: indexes)
      branches.append(PlanTemplate.Branch(members, form, of: query, mergedBy: orders))
      last = form
    }
    return PlanTemplate(branches: branches, orders: orders)
  }

  private static func choice(
    for requirement: IndexRequirement, of query: NormalizedQuery, indexes: IndexSet
  ) throws(DatabaseError) -> [ChosenIndex] {
    let candidates = indexes.candidates(for: requirement)
    if let choice = requirement.choice(from: candidates) { return choice }
    let building = candidates.filter { $0.state == .creating }
    throw .missingIndex(
      IndexSuggestion(requirement, candidates: candidates), of: query, candidates: candidates,
      building: requirement.members(of: building, servingBeside: candidates),
      hidden: requirement.members(
        of: indexes.hiddenCandidates(for: requirement), servingBeside: candidates))
  }
}

extension NormalizedQuery {
  /// The common orders by which the branches of a plan are merged (§10): O, and before `__name__`
  /// the aggregated fields that some alternative doesn't fix to one value.
  var mergeOrders: [Order] {
    let added = aggregatedFields.filter { field in
      !orders.contains { $0.field == field }
        && disjuncts.contains { $0.value(of: field) == nil }
    }
    return orders(inserting: added)
  }

  /// Returns O with ascending orders on `fields` before `__name__`.
  func orders(inserting fields: [FieldPath]) -> [Order] {
    var orders = self.orders
    orders.insert(contentsOf: fields.map { Order($0) }, at: orders.count - 1)
    return orders
  }
}

/// An index that was chosen, and its part in the plan.
struct ChosenIndex: Equatable {
  let candidate: IndexCandidate
  let match: IndexMatch
}

extension IndexRequirement {
  /// Returns the indexes among `others` that would be chosen if all of them were ready; empty if
  /// they would not serve the query.
  fileprivate func members(
    of others: [IndexCandidate], servingBeside candidates: [IndexCandidate]
  ) -> [IndexDefinition] {
    guard !others.isEmpty else { return [] }
    // Hidden indexes may be under construction as well.
    let usable = others.map { other in
      var usable = other
      usable.state = .ready
      return usable
    }
    let chosen = choice(from: candidates.filter { $0.state == .ready } + usable) ?? []
    return chosen.map(\.candidate).filter(usable.contains).map(\.index.normalForm)
  }

  /// Returns the one index that serves alone, or the members of a merge; `nil` if there are none
  /// (§5.3, §5.5).
  func choice(from candidates: [IndexCandidate]) -> [ChosenIndex]? {
    var best: ChosenIndex?
    for candidate in candidates where candidate.state == .ready {
      guard let match = match(alone: candidate.index) else { continue }
      if let best, !candidate.isPreferred(over: best.candidate) { continue }
      best = ChosenIndex(candidate: candidate, match: match)
    }
    if let best { return [best] }
    // A vector index serves alone (§4.10).
    return vector == nil ? merge(of: candidates) : nil
  }

  /// Returns the members of a merge, each time taking the index that covers most of the uncovered
  /// constraints, until all are covered (§5.5); `nil` if that fails.
  func merge(of candidates: [IndexCandidate]) -> [ChosenIndex]? {
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
