package import DocumentModel

/// Why a plan does not use an index.
package struct IndexRejection: Sendable, Equatable {
  package enum Reason: Sendable, Equatable {
    /// The index keeps single collections apart; the query needs all of the group together.
    case collectionScope
    /// The field's configuration has no such index (§3.3).
    case disabled
    case building
    /// The index lacks documents without the field, and the query doesn't ask for it.
    case extraField(FieldPath)
    /// What stands in the index where the query needs something else.
    case order(needed: Order, found: IndexColumn)
    /// The index ends where the query needs another order.
    case missingOrder(Order)
    /// The index has the right order, but equalities are left that no index beside it covers.
    case uncovered([FieldPath])
    /// It could serve, but something else serves better.
    case notPreferred
  }

  package let source: Plan.Scan.Source
  package let index: IndexDefinition
  package let reason: Reason
}

extension IndexRejection.Reason: CustomStringConvertible {
  /// The reason as the rest of a sentence about the index.
  package var description: String {
    switch self {
    case .collectionScope: "has scope COLLECTION, which can't serve a collection group"
    case .disabled: "is not enabled for the field"
    case .building: "is still being built"
    case .extraField(let field):
      "holds \(field), which the query doesn't require: documents without \(field) are missing "
        + "from it"
    case .order(let needed, let found): "has \(found) where the query needs \(needed)"
    case .missingOrder(let order): "is not sorted by \(order)"
    case .uncovered(let fields):
      "does not cover \(fields.map(\.description).joined(separator: ", "))"
    case .notPreferred: "could serve, but the plan's choice is preferred"
    }
  }
}

extension Planner {
  /// All composite indexes of the query's collection group, and the automatic ones of the fields it
  /// names, that the query is not run with, each with the reason, best candidates first.
  ///
  /// It also answers for a query that is refused.
  package static func rejections(
    of query: NormalizedQuery, indexes: IndexSet
  ) -> [IndexRejection] {
    let requirement = IndexRequirement(query)
    let candidates = indexes.candidates(for: requirement).sorted { $0.isPreferred(over: $1) }
    let chosen = (requirement.choice(from: candidates) ?? []).map(\.candidate)
    var rejections: [IndexRejection] = []
    for candidate in candidates where !chosen.contains(candidate) && candidate.source != .key {
      rejections.append(
        IndexRejection(
          source: candidate.source, index: candidate.index,
          reason: requirement.rejection(of: candidate)))
    }
    for index in requirement.automaticIndexes
    where !candidates.contains(where: { $0.index == index }) {
      rejections.append(IndexRejection(source: .automatic, index: index, reason: .disabled))
    }
    for composite in indexes.composites(of: requirement.collectionGroup)
    where requirement.scope == .collectionGroup && composite.definition.scope == .collection {
      rejections.append(
        IndexRejection(
          source: .composite(id: composite.id), index: composite.definition,
          reason: .collectionScope))
    }
    return rejections
  }
}

extension IndexRequirement {
  fileprivate func rejection(of candidate: IndexCandidate) -> IndexRejection.Reason {
    guard candidate.state == .ready else { return .building }
    let index = candidate.index
    if match(alone: index) != nil { return .notPreferred }
    if let extra = index.columns.first(where: { !requires($0) }) { return .extraField(extra.field) }
    let prefixes = fixedPrefixes(of: index)
    if let match = match(merged: index) {
      let uncovered = all.subtracting(leading).subtracting(match.covered)
      return .uncovered(fields(of: uncovered))
    }
    let covered = prefixes.last ?? ConstraintSet()
    let mismatch = firstMismatch(of: index.columns.dropFirst(prefixes.count - 1))
    return mismatch ?? .uncovered(fields(of: all.subtracting(covered)))
  }

  /// Whether every result has what the column holds.
  private func requires(_ column: IndexColumn) -> Bool {
    constraint(fixing: column) != nil || equality(on: column.field) != nil
      || (column.mode != .contains && orders.contains { $0.field == column.field })
  }

  /// Where sorted columns leave T0; orders on fields that equal one value may be left out.
  private func firstMismatch(of columns: ArraySlice<IndexColumn>) -> IndexRejection.Reason? {
    var columns = columns
    for order in orders {
      if columns.first?.order == order {
        columns.removeFirst()
      } else if equality(on: order.field) == nil {
        return columns.first.map { .order(needed: order, found: $0) } ?? .missingOrder(order)
      }
    }
    return nil
  }

  private func fields(of set: ConstraintSet) -> [FieldPath] {
    constraints.enumerated().filter { set.contains($0.offset) }.map(\.element.field)
  }
}
