extension Planner {
  /// Returns the indexes that no alternative of the query uses, each with a reason. These are all
  /// composite indexes of the query's collection group, and the automatic indexes of the fields
  /// that the query names. The reason is that of the alternative that comes closest to using the
  /// index.
  ///
  /// It also works for a query that is refused.
  package static func rejections(
    of query: NormalizedQuery, indexes: IndexSet
  ) -> [IndexRejection] {
    var used: Set<IndexDefinition> = []
    var order: [IndexDefinition] = []
    var closest: [IndexDefinition: IndexRejection] = [:]
    for requirement in query.requirements {
      let candidates = indexes.candidates(for: requirement).sorted { $0.isPreferred(over: $1) }
      used.formUnion((requirement.choice(from: candidates) ?? []).map(\.candidate.index))
      for rejection in requirement.rejections(of: candidates, indexes: indexes) {
        guard let present = closest[rejection.index] else {
          order.append(rejection.index)
          closest[rejection.index] = rejection
          continue
        }
        if rejection.distance < present.distance { closest[rejection.index] = rejection }
      }
    }
    return order.filter { !used.contains($0) }.compactMap { closest[$0] }
  }
}

extension NormalizedQuery {
  /// The alternatives' requirements, without repetition.
  var requirements: [IndexRequirement] {
    var requirements: [IndexRequirement] = []
    for conjunction in disjuncts {
      let requirement = IndexRequirement(self, conjunction.form)
      if !requirements.contains(requirement) { requirements.append(requirement) }
    }
    return requirements
  }
}
