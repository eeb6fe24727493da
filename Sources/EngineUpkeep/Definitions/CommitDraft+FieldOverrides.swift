import HearthDocumentEngine
import HearthDocumentModel
import HearthQueryPlanning
import HearthStorageFormat

extension CommitDraft {
  /// Puts a change into the catalogue: the spaces to build and those to empty.
  ///
  /// - Parameter keepsEarlier: whether the earlier indexes come back if the change fails.
  mutating func change(
    _ name: OverrideName, to indexes: [SingleFieldIndex], isReverting: Bool, keepsEarlier: Bool
  ) {
    let catalog = catalog
    let states = catalog.override(name)?.indexes ?? catalog.indexes.inherited(name).ready
    let ready = AutomaticSpaces(states.filter { $0.value == .ready }.map(\.key))
    let wanted = AutomaticSpaces(indexes)
    let building = wanted.subtracting(ready)
    let retiring = AutomaticSpaces(states.keys).union(catalog.changes[name]?.retiring ?? [])
      .subtracting(wanted)
    var override = FieldOverride(name.group.string, name.field, indexes.ready)
    for index in indexes where !building.isDisjoint(with: AutomaticSpaces(index)) {
      override.indexes[index] = .creating
    }
    delete(StorageKey.checkpoint(overrideOf: name.group.string, field: name.field))
    // A change with nothing to build can't fail.
    let earlier =
      keepsEarlier && !building.isEmpty ? EarlierOverride(of: name, in: catalog) : nil
    let change = OverrideChange(retiring: retiring, isReverting: isReverting, earlier: earlier)
    replaceCatalog(catalog.with { $0.set(override, named: name, change) })
  }

  /// Begins to undo the change of an override for which a document can't be indexed.
  mutating func takeBack(_ name: OverrideName) {
    let earlier = catalog.changes[name]?.earlier
    // If the earlier indexes aren't known, the ready ones take their place: an earlier release
    // began the change, or the earlier indexes can't be built any more either.
    let ready = catalog.override(name)?.indexes.filter { $0.value == .ready }.map(\.key)
    change(
      name, to: earlier?.indexes ?? ready ?? [], isReverting: earlier?.isInherited ?? false,
      keepsEarlier: false)
  }
}

extension EarlierOverride {
  fileprivate init(of name: OverrideName, in catalog: Catalog) {
    let override = catalog.override(name)
    self.init(
      override.map { Array($0.indexes.keys) } ?? catalog.indexes.inherited(name),
      isInherited: override == nil)
  }
}

extension Catalog {
  func override(_ name: OverrideName) -> FieldOverride? {
    indexes.overrides.first { OverrideName($0) == name }
  }
}

extension [SingleFieldIndex] {
  var ready: [SingleFieldIndex: IndexState] {
    reduce(into: [:]) { $0[$1] = .ready }
  }
}

extension IndexSet {
  /// Returns the indexes that the fields of an override have without it: those of the override with
  /// the longest path above, then of `*`, then the defaults. Only ready indexes count.
  func inherited(_ name: OverrideName) -> [SingleFieldIndex] {
    let above = overrides.filter { override in
      OverrideName(override) != name && UTF8Key(override.collectionGroup) == name.group
        && (override.field.map { name.field?.hasPrefix($0) ?? false } ?? true)
    }
    let nearest = above.max { ($0.field?.names.count ?? 0) < ($1.field?.names.count ?? 0) }
    return nearest.map { $0.indexes.filter { $0.value == .ready }.map(\.key) }
      ?? SingleFieldIndex.defaults
  }
}
