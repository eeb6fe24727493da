package import HearthDocumentModel

/// An index that a plan doesn't use, with the reason.
package struct IndexRejection: Sendable, Equatable {
  package enum Reason: Sendable, Equatable {
    /// The index keeps collections apart; the query needs the whole group together.
    case collectionScope
    /// The field's configuration has no such index (§3.3).
    case disabled
    case building
    /// The index is hidden from queries.
    case hidden
    /// The index lacks documents without the field, and the query doesn't require the field.
    case extraField(FieldPath)
    /// The index has the column `found` where the query needs the order `needed`.
    case order(needed: Order, found: IndexColumn)
    /// The index ends where the query needs another order.
    case missingOrder(Order)
    /// The index has the right order, but some equalities are covered neither by it nor by an index
    /// beside it.
    case uncovered([FieldPath])
    /// The index has another vector column than the query needs, or lacks one, or has one although
    /// the query needs none.
    case otherVectors(needed: VectorColumn?)
    /// The index could serve, but another one serves better.
    case notPreferred
  }

  package let source: IndexSource
  package let index: IndexDefinition
  package let reason: Reason
  /// The fewest edits that let the query use the index; empty if one or two edits don't suffice.
  package let edits: [IndexEdit]

  /// The edits in words, such as `drop column b`; `nil` if there are none.
  package var edit: String? {
    edits.isEmpty ? nil : edits.map(\.description).joined(separator: " and ")
  }
}

extension IndexRejection.Reason: CustomStringConvertible {
  /// The reason as the rest of a sentence about the index.
  package var description: String {
    switch self {
    case .collectionScope: "has scope COLLECTION, which can't serve a collection group"
    case .disabled: "is not enabled for the field"
    case .building: "is still being built"
    case .hidden: "is hidden"
    case .extraField(let field):
      "holds \(field), which the query doesn't require: documents without \(field) are missing "
        + "from it"
    case .order(let needed, let found): "has \(found) where the query needs \(needed)"
    case .missingOrder(let order): "is not sorted by \(order)"
    case .uncovered(let fields):
      "does not cover \(fields.map(\.description).joined(separator: ", "))"
    case .otherVectors(let needed?):
      "does not find vectors of \(needed.dimension) elements in \(needed.field)"
    case .otherVectors(nil): "serves only queries for the nearest vectors"
    case .notPreferred: "could serve, but the plan's choice is preferred"
    }
  }
}

extension IndexRejection {
  /// The number of edits that separate the index from being used.
  var distance: Int {
    if reason == .notPreferred { return 0 }
    return edits.isEmpty ? .max : edits.count
  }
}

extension IndexRequirement {
  /// Returns the rejections of all candidates, used or not, and of the collection group's other
  /// indexes.
  func rejections(
    of candidates: [IndexCandidate], indexes: IndexSet
  ) -> [IndexRejection] {
    var rejections: [IndexRejection] = []
    for candidate in candidates where candidate.source != .key {
      rejections.append(rejection(of: candidate, beside: candidates))
    }
    for index in vector == nil ? automaticIndexes : []
    where !candidates.contains(where: { $0.index == index }) {
      rejections.append(rejection(ofDisabled: index, beside: candidates))
    }
    for composite in indexes.composites(of: collectionGroup) {
      let source = IndexSource.composite(id: composite.id)
      guard !candidates.contains(where: { $0.source == source }) else { continue }
      let index = composite.definition
      if composite.isHidden, mayUse(index) {
        rejections.append(rejection(ofHidden: IndexCandidate(composite), beside: candidates))
        continue
      }
      let isOther = index.vector != vector
      let edits = isOther ? nil : edits(making: index, from: source, usableBeside: candidates)
      rejections.append(
        IndexRejection(
          source: source, index: index,
          reason: isOther ? .otherVectors(needed: vector) : .collectionScope, edits: edits ?? []))
    }
    return rejections
  }

  private func rejection(
    of candidate: IndexCandidate, beside candidates: [IndexCandidate]
  ) -> IndexRejection {
    let reason = reason(for: candidate)
    var edits: [IndexEdit] = []
    switch (reason, candidate.source) {
    case (.building, _):
      var built = candidate
      built.state = .ready
      let others = candidates.filter { $0.index != candidate.index }
      if canUse(built, beside: others) { edits = [.wait] }
    case (.notPreferred, _), (_, .automatic), (_, .key): break
    case (_, .composite):
      edits =
        self.edits(making: candidate.index, from: candidate.source, usableBeside: candidates) ?? []
    }
    return IndexRejection(
      source: candidate.source, index: candidate.index, reason: reason, edits: edits)
  }

  private func rejection(
    ofHidden candidate: IndexCandidate, beside candidates: [IndexCandidate]
  ) -> IndexRejection {
    var edits: [IndexEdit] = []
    if candidate.state == .ready, canUse(candidate, beside: candidates) { edits = [.unhide] }
    return IndexRejection(
      source: candidate.source, index: candidate.index, reason: .hidden, edits: edits)
  }

  private func rejection(
    ofDisabled index: IndexDefinition, beside candidates: [IndexCandidate]
  ) -> IndexRejection {
    var edits: [IndexEdit] = []
    let enabled = IndexCandidate(source: .automatic, index: index, state: .ready)
    if let (field, single) = index.singleField, canUse(enabled, beside: candidates) {
      edits = [.enable(field, single)]
    }
    return IndexRejection(source: .automatic, index: index, reason: .disabled, edits: edits)
  }
}

extension IndexRequirement {
  private func reason(for candidate: IndexCandidate) -> IndexRejection.Reason {
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

  /// Whether the query requires every result to have the column's value.
  private func requires(_ column: IndexColumn) -> Bool {
    constraint(fixing: column) != nil || equality(on: column.field) != nil
      || (column.mode != .contains && orders.contains { $0.field == column.field })
  }

  /// Returns the first difference between sorted columns and T0. Orders on fields that equal one
  /// value may be left out.
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
