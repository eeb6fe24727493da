import HearthDocumentModel

extension Planner {
  /// Returns the composite indexes that would replace each merge of a plan by one scan; empty if
  /// the plan merges nothing. Like a refusal, it names an index that is being built or hidden
  /// before one that has to be created.
  ///
  /// A range on a second field remains: an index is sorted as its query is, so that no index has
  /// the results of two ranges side by side.
  package static func indexesReplacingMerges(
    of plan: Plan, for query: NormalizedQuery, indexes: IndexSet
  ) -> [MissingIndex] {
    let merges = plan.branches.filter { !$0.isEmpty && $0.scans.count > 1 }
      .map { $0.scans.map(\.index) }
    guard !merges.isEmpty else { return [] }
    var replacements: [MissingIndex] = []
    for requirement in query.requirements {
      let candidates = indexes.candidates(for: requirement)
      let members = requirement.choice(from: candidates) ?? []
      guard merges.contains(members.map(\.candidate.index)),
        !replacements.contains(where: { requirement.match(alone: $0.index) != nil }),
        let replacement = requirement.replacement(candidates, indexes)
      else { continue }
      replacements.append(replacement)
    }
    return replacements
  }
}

extension IndexRequirement {
  /// Returns the index that would serve alone; `nil` if it would have more fields than an index may
  /// have.
  fileprivate func replacement(
    _ candidates: [IndexCandidate], _ indexes: IndexSet
  ) -> MissingIndex? {
    let building = indexServingAlone(among: candidates.filter { $0.state == .creating })
    let hidden = indexServingAlone(among: indexes.hiddenCandidates(for: self))
    let index = building ?? hidden ?? IndexSuggestion(self, candidates: candidates).perfect
    guard index.columns.count - 1 <= Limits.fieldsPerIndex else { return nil }
    return MissingIndex(
      index: index, smaller: nil, building: building.map { [$0] } ?? [],
      hidden: hidden.map { [$0] } ?? [])
  }

  private func indexServingAlone(among candidates: [IndexCandidate]) -> IndexDefinition? {
    candidates.filter { match(alone: $0.index) != nil }
      .min { $0.isPreferred(over: $1) }?.index
  }
}
