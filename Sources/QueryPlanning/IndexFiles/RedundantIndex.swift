/// A composite index whose queries other indexes serve too, alone or merged (§5.3, §5.5).
public struct RedundantIndex: Sendable, Hashable, Codable {
  /// The index.
  public let definition: IndexDefinition
  /// The indexes that serve in its place, single-field indexes included.
  public let replacements: [IndexDefinition]
  /// Whether the replacements serve all queries of the index. Otherwise it may be needed by queries
  /// that also sort by a field with an equality, since merges don't serve these (§5.4).
  public let isWhole: Bool
  /// Whether the index can be dropped together with all others that are droppable.
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
  /// Returns the composite indexes that queries could do without, in the order of an index file
  /// (§6.5).
  ///
  /// The result depends on the indexes alone, and holds for all queries. Indexes that are hidden or
  /// being built neither replace others nor are reported.
  package func redundantIndexes() -> [RedundantIndex] {
    var rest = self
    var droppable: Set<UInt64> = []
    // Of two indexes that replace each other, the smaller one stays; of two equal ones, the older
    // one.
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

  /// Returns the indexes that serve the queries of an index in its place; `nil` if some query needs
  /// the index.
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
      guard let servers = requirement.servers(among: candidates) else { return nil }
      for server in servers where !indexes.contains(server) { indexes.append(server) }
      let hasEqualities = requirement.constraints.contains { !$0.isContains }
      if hasEqualities, !candidates.contains(where: { requirement.isFixed(by: $0.index) }) {
        isWhole = false
      }
    }
    return (indexes, isWhole)
  }
}

extension IndexDefinition {
  /// The rank in the order of dropping, the largest first. An index of collection scope serves
  /// fewer queries than one of group scope, and more columns take more space.
  fileprivate var dropRank: Int { columns.count + (scope == .collection ? 1000 : 0) }

  /// The requirements of the queries that the index serves alone: one for every split into columns
  /// that are fixed to one value and columns that are sorted by (§5.3).
  ///
  /// All other queries that use the index have more equalities: on the first fields that they sort
  /// by, or on fields that indexes beside it cover. Indexes that serve one of these requirements,
  /// with the same order, also serve such a query. So if these requirements are served without the
  /// index, those queries are as well. The exception is a query with additional orders on fields of
  /// equalities: only an index that fixes all of them serves it.
  fileprivate var requirements: [IndexRequirement] {
    let scopes: [QueryScope] = scope == .collection ? [.collection] : QueryScope.allCases
    return columns.indices.flatMap { count -> [IndexRequirement] in
      let orders = columns[count...].compactMap(\.order)
      // The elements of arrays give no order, and no query sorts by one field twice.
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
  /// Returns indexes that serve with the whole order, and therefore also beside others: one, or
  /// several merged. `nil` if there are none.
  fileprivate func servers(among candidates: [IndexCandidate]) -> [IndexDefinition]? {
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
