package import DocumentModel
import OrderedStore
package import QueryPlanning
import StorageFormat

extension Engine {
  /// Replaces the single-field indexes of a field, or of every field (`nil`) without an override of
  /// its own, and builds what is new (§3.3).
  ///
  /// Indexes that stay are usable throughout, those that go are unusable at once, new ones when
  /// this returns. A change that was broken off is finished first. If a document can't be
  /// indexed, the change is taken back.
  ///
  /// - Complexity: every document of the collection group is read once if entries come or go.
  /// - Throws: `invalidArgument` for a document that then can't be indexed.
  package func setOverride(
    _ collectionGroup: String, _ field: FieldPath?, _ indexes: [SingleFieldIndex],
    progress: (BuildProgress) -> Void = { _ in }
  ) throws(DatabaseError) {
    _ = try ResourcePath.validated(collectionGroup, isCollection: true)
    guard field != .documentID else {
      throw .invalidArgument("The index of __name__ is built in and can't be changed.")
    }
    let name = OverrideName(collectionGroup, field)
    try administering { () throws(DatabaseError) in
      try change(name, to: indexes, isReverting: false, progress)
    }
  }

  /// Takes an override back: what holds for the field without it holds again (§3.3).
  ///
  /// - Complexity: as `setOverride`.
  /// - Throws: `notFound`; as `setOverride`.
  package func removeOverride(
    _ collectionGroup: String, _ field: FieldPath?, progress: (BuildProgress) -> Void = { _ in }
  ) throws(DatabaseError) {
    let name = OverrideName(collectionGroup, field)
    try administering { () throws(DatabaseError) in
      guard try readView().catalog.override(name) != nil else {
        throw DatabaseError(.notFound, "The field has no override.")
      }
      try finishOverrides(progress)
      let inherited = try readView().catalog.indexes.inherited(name)
      try change(name, to: inherited, isReverting: true, progress)
    }
  }

  private func change(
    _ name: OverrideName, to indexes: [SingleFieldIndex], isReverting: Bool,
    _ progress: (BuildProgress) -> Void
  ) throws(DatabaseError) {
    // Leftovers of another change would lie where this one's override no longer looks for them.
    try finishOverrides(progress)
    let before = try readView().catalog
    try commitExclusively { Engine.begin(name, indexes, isReverting: isReverting, &$0) }
    do {
      try finish(name, progress)
    } catch {
      guard error.code == .invalidArgument else { throw error }
      let present = before.override(name)
      let indexes = present.map { Array($0.indexes.keys) } ?? before.indexes.inherited(name)
      try commitExclusively { Engine.begin(name, indexes, isReverting: present == nil, &$0) }
      try finish(name, progress)
      throw error
    }
  }

  /// Puts a change into the catalogue: what has to be built and given up for it.
  private static func begin(
    _ name: OverrideName, _ indexes: [SingleFieldIndex], isReverting: Bool,
    _ group: inout CommitGroup
  ) {
    let catalog = group.catalog
    let states = catalog.override(name)?.indexes ?? catalog.indexes.inherited(name).ready
    let ready = AutomaticSpaces(states.filter { $0.value == .ready }.map(\.key))
    let wanted = AutomaticSpaces(indexes)
    let building = wanted.subtracting(ready)
    let retiring = AutomaticSpaces(states.keys).union(catalog.retiring[name] ?? [])
      .subtracting(wanted)
    var override = FieldOverride(name.group.string, name.field, indexes.ready)
    for index in indexes where !building.isDisjoint(with: AutomaticSpaces(index)) {
      override.indexes[index] = .creating
    }
    group.delete(StorageKey.checkpoint(overrideOf: name.group.string, field: name.field))
    group.replaceCatalog(catalog.with(override, retiring: retiring, isReverting: isReverting))
  }

  /// Finishes all changes that were broken off; one that can't be finished, because a document
  /// can't be indexed, is taken back to what is ready.
  private func finishOverrides(_ progress: (BuildProgress) -> Void) throws(DatabaseError) {
    let catalog = try readView().catalog
    for override in catalog.indexes.overrides where catalog.isUnfinished(override) {
      let name = OverrideName(override)
      do {
        try finish(name, progress)
      } catch {
        guard error.code == .invalidArgument else { throw error }
        let ready = override.indexes.filter { $0.value == .ready }.map(\.key)
        try commitExclusively { Engine.begin(name, ready, isReverting: false, &$0) }
        try finish(name, progress)
      }
    }
  }

  /// Builds and deletes the entries of one change, and settles the catalogue.
  private func finish(
    _ name: OverrideName, _ progress: (BuildProgress) -> Void
  ) throws(DatabaseError) {
    let catalog = try readView().catalog
    guard let override = catalog.override(name) else { return }
    let building = AutomaticSpaces(override.indexes.filter { $0.value == .creating }.map(\.key))
    let retiring = catalog.retiring[name] ?? []
    if !building.isEmpty || !retiring.isEmpty {
      let target = IndexBuilder.Target.override(override, building: building, retiring: retiring)
      try IndexBuilder(engine: self, target: target).run(progress)
    }
    try commitExclusively { group in
      let settled = FieldOverride(
        override.collectionGroup, override.field, Array(override.indexes.keys).ready)
      group.replaceCatalog(
        group.catalog.reverting.contains(name)
          ? group.catalog.without(name)
          : group.catalog.with(settled, retiring: [], isReverting: false))
    }
  }
}

extension Catalog {
  fileprivate func override(_ name: OverrideName) -> FieldOverride? {
    indexes.overrides.first { OverrideName($0) == name }
  }

  fileprivate func isUnfinished(_ override: FieldOverride) -> Bool {
    let name = OverrideName(override)
    return retiring[name] != nil || reverting.contains(name)
      || override.indexes.values.contains(.creating)
  }
}

extension [SingleFieldIndex] {
  fileprivate var ready: [SingleFieldIndex: IndexState] {
    reduce(into: [:]) { $0[$1] = .ready }
  }
}

extension IndexSet {
  /// What holds for the fields of an override without it: the override of the longest path above,
  /// then `*`, then the defaults. Only what is ready counts.
  fileprivate func inherited(_ name: OverrideName) -> [SingleFieldIndex] {
    let above = overrides.filter { override in
      OverrideName(override) != name && UTF8Key(override.collectionGroup) == name.group
        && (override.field.map { name.field?.hasPrefix($0) ?? false } ?? true)
    }
    let nearest = above.max { ($0.field?.names.count ?? 0) < ($1.field?.names.count ?? 0) }
    return nearest.map { $0.indexes.filter { $0.value == .ready }.map(\.key) }
      ?? SingleFieldIndex.defaults
  }
}
