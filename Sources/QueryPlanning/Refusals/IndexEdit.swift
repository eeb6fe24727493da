package import HearthDocumentModel

/// A change of one index, such as a person makes in an index file.
package enum IndexEdit: Sendable, Equatable {
  case wait
  case unhide
  /// Enables a single-field index.
  case enable(FieldPath, SingleFieldIndex)
  case widenScope
  /// Reverses a column. An implied `__name__` follows it (§3.4).
  case flip(FieldPath, to: IndexMode)
  case drop(FieldPath)
  case prepend(IndexColumn)
  case append(IndexColumn)
}

extension IndexEdit: CustomStringConvertible {
  /// The edit as an instruction.
  package var description: String {
    switch self {
    case .wait: "wait for the build"
    case .unhide: "unhide it"
    case .enable(let field, let index):
      "enable \(index.scope.rawValue) \(index.mode.rawValue) on field \(field)"
    case .widenScope: "make it COLLECTION_GROUP"
    case .flip(let field, let mode): "flip \(field) to \(mode == .ascending ? "ASC" : "DESC")"
    case .drop(let field): "drop column \(field)"
    case .prepend(let column): "put \(column) in front"
    case .append(let column): "append \(column) before __name__"
    }
  }
}

extension IndexDefinition {
  /// Returns the index after the edits.
  package func applying(_ edits: [IndexEdit]) -> IndexDefinition {
    var edited = EditableIndex(self)
    for edit in edits { edited.apply(edit) }
    return edited.definition
  }

  /// Whether an index like this can exist beside the automatic ones (§3.4).
  fileprivate var isComposite: Bool {
    if vector != nil { return true }
    guard singleField == nil else { return false }
    return columns.count > 1 || columns.last?.mode == .descending
  }
}

/// An index as a file writes it: with `__name__` only if that has a direction of its own.
private struct EditableIndex {
  private let original: IndexDefinition
  private(set) var columns: [IndexColumn]
  private var scope: QueryScope
  private var name: IndexColumn?

  init(_ index: IndexDefinition) {
    original = index
    scope = index.scope
    columns = Array(index.columns.dropLast())
    let implied = IndexDefinition(index.collectionGroup, columns).columns.last
    name = index.columns.last == implied ? nil : index.columns.last
  }

  var definition: IndexDefinition {
    IndexDefinition(
      original.collectionGroup, columns + (name.map { [$0] } ?? []), scope: scope,
      vector: original.vector)
  }

  mutating func apply(_ edit: IndexEdit) {
    switch edit {
    case .wait, .unhide, .enable: break
    case .widenScope: scope = .collectionGroup
    case .flip(.documentID, let mode): name = IndexColumn(.documentID, mode)
    case .flip(let field, let mode):
      for index in columns.indices where columns[index].field == field {
        columns[index] = IndexColumn(field, mode)
      }
    case .drop(let field): columns.removeAll { $0.field == field }
    case .prepend(let column): columns.insert(column, at: 0)
    case .append(let column): columns.append(column)
    }
  }
}

extension IndexRequirement {
  /// The largest number of edits and pairs of edits to try. A query may have a hundred filters, and
  /// an index as many columns.
  private static let tryLimit = 1_000

  /// Returns the fewest edits, up to two, that let the query use the index, alone or beside the
  /// others; `nil` if none are found.
  func edits(
    making index: IndexDefinition, from source: IndexSource,
    usableBeside others: [IndexCandidate]
  ) -> [IndexEdit]? {
    let others = others.filter { $0.source != source || $0.index != index }
    var tryCount = 0
    func isUsable(_ edits: [IndexEdit]) -> Bool {
      tryCount += 1
      guard tryCount <= IndexRequirement.tryLimit else { return false }
      let edited = index.applying(edits)
      guard edited.isComposite, edited != index, !others.contains(where: { $0.index == edited })
      else { return false }
      return canUse(IndexCandidate(source: source, index: edited, state: .ready), beside: others)
    }
    let singles = singleEdits(of: index, beside: others)
    if let edit = singles.first(where: { isUsable([$0]) }) { return [edit] }
    for (position, first) in singles.enumerated() {
      for second in singles[(position + 1)...] where isUsable([first, second]) {
        return [first, second]
      }
    }
    return nil
  }

  /// Whether the index serves alone, or the planner would choose it for a merge.
  func canUse(_ candidate: IndexCandidate, beside others: [IndexCandidate]) -> Bool {
    guard scope == .collection || candidate.index.scope == .collectionGroup else { return false }
    if match(alone: candidate.index) != nil { return true }
    guard let match = match(merged: candidate.index), !match.covered.isEmpty else { return false }
    let chosen = choice(from: others + [candidate]) ?? []
    return chosen.contains { $0.candidate == candidate }
  }

  /// Returns the constraints to try an additional column for: those that no index covers. Empty if
  /// there are more than two, which is more than two edits can cover.
  private func missing(
    in index: IndexDefinition, beside others: [IndexCandidate]
  ) -> ConstraintSet {
    var alone = all
    for column in index.columns {
      if let present = constraint(fixing: column) {
        alone = alone.subtracting(ConstraintSet(present))
      }
    }
    if alone.count <= 2 { return alone }
    var merged = alone.subtracting(leading)
    for other in others where other.state == .ready {
      if let match = match(merged: other.index) { merged = merged.subtracting(match.covered) }
    }
    return merged.count <= 2 ? merged : ConstraintSet()
  }

  private func singleEdits(
    of index: IndexDefinition, beside others: [IndexCandidate]
  ) -> [IndexEdit] {
    var edits: [IndexEdit] = []
    if index.scope == .collection, scope == .collectionGroup { edits.append(.widenScope) }
    for column in index.columns {
      switch column.mode {
      case .ascending: edits.append(.flip(column.field, to: .descending))
      case .descending: edits.append(.flip(column.field, to: .ascending))
      case .contains: break
      }
    }
    let columns = index.columns.dropLast()
    edits += columns.map { .drop($0.field) }
    let missing = missing(in: index, beside: others)
    for (position, constraint) in constraints.enumerated() where missing.contains(position) {
      let column = IndexColumn(constraint.field, constraint.isContains ? .contains : .ascending)
      if !columns.contains(column) { edits.append(.prepend(column)) }
    }
    for order in orders.dropLast() where !columns.contains(IndexColumn(order)) {
      edits.append(.append(IndexColumn(order)))
    }
    return edits
  }
}
