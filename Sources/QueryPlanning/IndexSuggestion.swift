import DocumentModel

/// What to create for a query that no index serves (§5.7, §5.8).
struct IndexSuggestion: Equatable {
  /// The index that production proposes: it serves the query alone.
  let perfect: IndexDefinition
  /// An index of fewer columns that serves the query together with the present ones.
  let smaller: IndexDefinition?

  /// - Parameter candidates: all indexes that the query may use; those being built count as present
  ///   for the smaller index, so that it still is what is missing when they are ready.
  init(_ requirement: IndexRequirement, candidates: [IndexCandidate]) {
    perfect = requirement.perfectIndex.normalForm
    smaller = requirement.smallerIndex(beside: candidates, than: perfect)?.normalForm
  }
}

extension IndexRequirement {
  /// §5.7.
  var perfectIndex: IndexDefinition {
    var columns = columns(fixing: all)
    for order in orders {
      // An ascending order on an equality's field has its column already.
      let column = IndexColumn(order)
      if !columns.contains(column) { columns.append(column) }
    }
    return IndexDefinition(collectionGroup, columns, scope: scope, vector: vector)
  }

  /// §5.8.
  fileprivate func smallerIndex(
    beside candidates: [IndexCandidate], than perfect: IndexDefinition
  ) -> IndexDefinition? {
    guard vector == nil else { return nil }
    let needed = all.subtracting(leading)
    var remaining = needed
    for candidate in candidates {
      guard let match = match(merged: candidate.index) else { continue }
      remaining = remaining.subtracting(match.covered)
    }
    guard remaining != needed, !remaining.isEmpty else { return nil }
    let columns = columns(fixing: remaining) + orders.map { IndexColumn($0) }
    // No index has a column twice: an equality's field in a prefix can't be sorted by again.
    let isPossible = columns.indices.allSatisfy { !columns[..<$0].contains(columns[$0]) }
    guard isPossible, columns.count < perfect.columns.count else { return nil }
    return IndexDefinition(collectionGroup, columns, scope: scope)
  }

  /// The array's elements first, then the equalities by field.
  private func columns(fixing set: ConstraintSet) -> [IndexColumn] {
    var columns: [IndexColumn] = []
    for (index, constraint) in constraints.enumerated() where set.contains(index) {
      if constraint.isContains {
        columns.insert(IndexColumn(constraint.field, .contains), at: 0)
      } else {
        columns.append(IndexColumn(constraint.field, .ascending))
      }
    }
    return columns
  }
}
