package import HearthDocumentModel

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
      if let same = branches.last, last?.restrictions == form.restrictions {
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
