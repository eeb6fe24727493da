import HearthDocumentModel

/// The indexes to create for a query that no index serves (§5.7, §5.8).
struct IndexSuggestion: Equatable {
  /// The index that production proposes. It serves the query alone.
  let perfect: IndexDefinition
  /// An index of fewer columns that serves the query together with the present ones.
  let smaller: IndexDefinition?

  /// - Parameter candidates: all indexes that the query may use. For the smaller index, those that
  ///   are being built count as present, so that it is still the missing one when they are ready.
  init(_ requirement: IndexRequirement, candidates: [IndexCandidate]) {
    perfect = requirement.perfectIndex.normalForm
    smaller = requirement.smallerIndex(beside: candidates, than: perfect)?.normalForm
  }
}

extension IndexRequirement {
  /// The index that serves the query alone (§5.7).
  var perfectIndex: IndexDefinition {
    var columns = columns(fixing: all)
    for order in orders {
      // The column of an equality also serves an ascending order on its field.
      let column = IndexColumn(order)
      if !columns.contains(column) { columns.append(column) }
    }
    return IndexDefinition(collectionGroup, columns, scope: scope, vector: vector)
  }

  /// Returns a smaller index that serves beside the candidates (§5.8); `nil` if there is none.
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
    // No index has a column twice. The field of an equality in the prefix can't be sorted by again.
    let isPossible = columns.indices.allSatisfy { !columns[..<$0].contains(columns[$0]) }
    guard isPossible, columns.count < perfect.columns.count else { return nil }
    return IndexDefinition(collectionGroup, columns, scope: scope)
  }

  /// Returns the columns for a set of constraints: the array's elements first, then the equalities
  /// by field.
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
