/// A composite index whose queries the other indexes serve too, each by itself or merged (§5.3,
/// §5.5).
public struct RedundantIndex: Sendable, Hashable {
  /// The index.
  public let definition: IndexDefinition
  /// What serves in its place; single-field indexes too.
  public let replacements: [IndexDefinition]
  /// Whether they serve all of its queries; if not, those that also sort by a field that they
  /// compare with one value may need it, because merges don't serve such queries (§5.4).
  public let isWhole: Bool
  /// Whether it can be dropped together with all others of which this is said.
  public let isDroppable: Bool

  package init(
    definition: IndexDefinition, replacements: [IndexDefinition], isWhole: Bool, isDroppable: Bool
  ) {
    self.definition = definition
    self.replacements = replacements
    self.isWhole = isWhole
    self.isDroppable = isDroppable
  }
}

extension IndexSet {
  /// The composite indexes that queries could do without, in the order of an index file (§6.5).
  ///
  /// It follows from the indexes alone, whatever queries there are. Indexes that are being built or
  /// hidden neither replace others nor are looked at.
  package func redundantIndexes() -> [RedundantIndex] {
    var rest = self
    var droppable: Set<UInt64> = []
    // The smaller one of two that replace each other stays, of two alike the older one.
    let order = composites.sorted { left, right in
      let (leftKey, rightKey) = (left.definition.dropRank, right.definition.dropRank)
      return leftKey != rightKey ? leftKey > rightKey : left.id > right.id
    }
    for index in order where rest.replacement(of: index)?.isWhole == true {
      droppable.insert(index.id)
      rest.composites.removeAll { $0.id == index.id }
    }
    let all = composites.compactMap { index in
      replacement(of: index).map { replacement in
        RedundantIndex(
          definition: index.definition, replacements: replacement.indexes,
          isWhole: replacement.isWhole, isDroppable: droppable.contains(index.id))
      }
    }
    return IndexFile(composites: all.map(\.definition)).sorted.composites.compactMap { index in
      all.first { $0.definition == index }
    }
  }

  /// What serves the queries of an index in its place; `nil` where some query needs it.
  private func replacement(
    of index: CompositeIndex
  ) -> (indexes: [IndexDefinition], isWhole: Bool)? {
    guard index.state == .ready, !index.isHidden else { return nil }
    var others = self
    others.composites.removeAll { $0.id == index.id }
    var indexes: [IndexDefinition] = []
    var isWhole = true
    for requirement in index.definition.requirements {
      let candidates = others.candidates(for: requirement).filter { $0.state == .ready }
      guard let members = requirement.members(of: candidates) else { return nil }
      for member in members where !indexes.contains(member) { indexes.append(member) }
      let hasEqualities = requirement.constraints.contains { !$0.isContains }
      if hasEqualities, !candidates.contains(where: { requirement.isFixed(by: $0.index) }) {
        isWhole = false
      }
    }
    return (indexes, isWhole)
  }
}

extension IndexDefinition {
  /// The larger, the sooner it is dropped: indexes of one collection at a time do less than those
  /// of all, and more columns take more room.
  fileprivate var dropRank: Int { columns.count + (scope == .collection ? 1000 : 0) }

  /// What the queries ask for that the index serves alone: for every split into columns that are
  /// fixed to one value and columns that are sorted by (§5.3).
  ///
  /// All other queries that it takes part in ask for more equalities: on the first fields that they
  /// sort by, or on fields that indexes beside it cover. Whatever serves these here together with
  /// the same order also serves those: so they are served without the index if these are, but for
  /// additional orders on fields of equalities, which only an index that fixes all of them serves.
  fileprivate var requirements: [IndexRequirement] {
    let scopes: [QueryScope] = scope == .collection ? [.collection] : QueryScope.allCases
    return columns.indices.flatMap { count -> [IndexRequirement] in
      let orders = columns[count...].compactMap(\.order)
      // The elements of arrays are no order, and no query sorts by one field twice.
      guard orders.count == columns.count - count,
        Set(orders.map(\.field)).count == orders.count
      else { return [] }
      return scopes.map { scope in
        IndexRequirement(
          collectionGroup, scope: scope, fixing: columns[..<count], orders: orders, vector: vector)
      }
    }
  }
}

extension IndexRequirement {
  /// Indexes that serve with the whole order, so that they do beside others too: one, or several
  /// merged.
  fileprivate func members(of candidates: [IndexCandidate]) -> [IndexDefinition]? {
    var best: IndexCandidate?
    for candidate in candidates {
      guard let match = match(merged: candidate.index), match.covered.union(leading) == all
      else { continue }
      if let best, !candidate.isPreferred(over: best) { continue }
      best = candidate
    }
    if let best { return [best.index] }
    guard vector == nil else { return nil }
    return merge(of: candidates)?.map(\.candidate.index)
  }
}
