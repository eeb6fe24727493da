import HearthDocumentModel

/// An index that a query may be able to use, in any state.
struct IndexCandidate: Equatable {
  let source: IndexSource
  let index: IndexDefinition
  var state: IndexState

  /// Whether this index is preferred over another one that is as good (§5.5): the query's own scope
  /// first, automatic before composite, then column by column.
  func isPreferred(over other: IndexCandidate) -> Bool {
    if index.scope != other.index.scope { return index.scope == .collection }
    if source.isComposite != other.source.isComposite { return !source.isComposite }
    for (left, right) in zip(index.columns, other.index.columns) {
      let order = left.field.compare(right.field)
      if order != .equal { return order == .less }
      if left.mode != right.mode { return left.mode.rank < right.mode.rank }
    }
    return index.columns.count < other.index.columns.count
  }
}

extension IndexMode {
  fileprivate var rank: Int {
    switch self {
    case .ascending: 0
    case .descending: 1
    case .contains: 2
    }
  }
}

extension IndexSet {
  /// Returns the indexes of §5.2: the key index, the automatic indexes of the fields that the query
  /// names, and the collection group's composites that aren't hidden.
  ///
  /// A search for the nearest vectors uses only indexes of that vector, and no other query uses
  /// these (§4.10).
  func candidates(for requirement: IndexRequirement) -> [IndexCandidate] {
    var candidates: [IndexCandidate] = []
    if requirement.vector == nil {
      candidates = automaticCandidates(for: requirement)
      candidates.append(IndexCandidate(source: .key, index: requirement.keyIndex, state: .ready))
    }
    for composite in composites(of: requirement.collectionGroup)
    where !composite.isHidden && requirement.mayUse(composite.definition) {
      candidates.append(IndexCandidate(composite))
    }
    return candidates
  }

  /// Returns the hidden composites that would otherwise be candidates.
  func hiddenCandidates(for requirement: IndexRequirement) -> [IndexCandidate] {
    composites(of: requirement.collectionGroup)
      .filter { $0.isHidden && requirement.mayUse($0.definition) }.map(IndexCandidate.init)
  }

  func composites(of collectionGroup: String) -> [CompositeIndex] {
    composites.filter { $0.definition.collectionGroup.utf8Equal(collectionGroup) }
  }

  /// Returns the automatic indexes of the query's own scope, the only one that counts (§3.3).
  private func automaticCandidates(for requirement: IndexRequirement) -> [IndexCandidate] {
    requirement.automaticIndexes.compactMap { index in
      guard let (field, single) = index.singleField else { return nil }
      return state(of: single, field: field, in: requirement.collectionGroup).map {
        IndexCandidate(source: .automatic, index: index, state: $0)
      }
    }
  }
}

extension IndexCandidate {
  init(_ composite: CompositeIndex) {
    self.init(
      source: .composite(id: composite.id), index: composite.definition, state: composite.state)
  }
}

extension IndexRequirement {
  /// Whether a composite index of the collection group can hold the query's documents and vectors.
  func mayUse(_ index: IndexDefinition) -> Bool {
    // An index of group scope holds every collection of the group. An index of collection scope
    // doesn't serve a whole group.
    index.vector == vector && (scope == .collection || index.scope == .collectionGroup)
  }

  /// The built-in index of names.
  var keyIndex: IndexDefinition {
    IndexDefinition(collectionGroup, [IndexColumn(.documentID, .ascending)], scope: scope)
  }

  /// The single-field indexes that the query could use if they exist: both directions of every
  /// field that it tests for equality or sorts by; and the elements of its array, with both
  /// directions of names.
  var automaticIndexes: [IndexDefinition] {
    var fields: [FieldPath] = []
    for field in constraints.filter({ !$0.isContains }).map(\.field) + orders.map(\.field)
    where !field.isDocumentID && !fields.contains(field) {
      fields.append(field)
    }
    var indexes: [IndexDefinition] = []
    for field in fields {
      indexes.append(singleField(IndexColumn(field, .ascending), .ascending))
      indexes.append(singleField(IndexColumn(field, .descending), .descending))
    }
    if let array = constraints.first(where: \.isContains)?.field {
      indexes.append(singleField(IndexColumn(array, .contains), .ascending))
      indexes.append(singleField(IndexColumn(array, .contains), .descending))
    }
    return indexes
  }

  private func singleField(_ column: IndexColumn, _ nameMode: IndexMode) -> IndexDefinition {
    IndexDefinition(collectionGroup, [column, IndexColumn(.documentID, nameMode)], scope: scope)
  }
}
