package import DocumentModel
import OrderedStore
package import QueryPlanning
package import Reports
import StorageFormat

extension Engine {
  /// Replaces the single-field indexes of a field, or of every field (`nil`) without an override of
  /// its own, and builds the new ones (§3.3).
  ///
  /// Indexes that stay are usable throughout, removed ones are unusable at once, and new ones are
  /// usable when this returns. An interrupted change is finished first. If a document can't be
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
    try change(name, progress) { group in
      Engine.begin(name, indexes, isReverting: false, keepsEarlier: true, &group)
    }
  }

  /// Removes an override. The field has the indexes again that hold without it (§3.3).
  ///
  /// - Complexity: the same as `setOverride`.
  /// - Throws: `notFound`; the same as `setOverride`.
  package func removeOverride(
    _ collectionGroup: String, _ field: FieldPath?, progress: (BuildProgress) -> Void = { _ in }
  ) throws(DatabaseError) {
    let name = OverrideName(collectionGroup, field)
    try change(name, progress) { group in
      guard group.catalog.override(name) != nil else {
        throw DatabaseError(.notFound, "The field has no override.")
      }
      let inherited = group.catalog.indexes.inherited(name)
      Engine.begin(name, inherited, isReverting: true, keepsEarlier: true, &group)
    }
  }

  /// Changes an override and builds its new indexes. Waits until no other change is unfinished,
  /// since this one would no longer find the entries that the other leaves behind.
  private func change(
    _ name: OverrideName, _ progress: (BuildProgress) -> Void,
    _ begin: @escaping @Sendable (inout CommitGroup) throws -> Void
  ) throws(DatabaseError) {
    let builds = builds
    while true {
      let changeCount = building.ledger.withLock { $0.changeCount }
      let begun = try administering { () throws(DatabaseError) -> Begun? in
        // An earlier change of the field is known to have ended before this one begins.
        let catalog = builds.reconcile()
        guard !catalog.indexes.overrides.contains(where: catalog.isUnfinished) else { return nil }
        try commitExclusively { try begin(&$0) }
        return Begun(number: builds.number(of: .override(name)))
      }
      guard let begun else {
        try builds.advance(unlessChangedSince: changeCount)
        continue
      }
      guard let number = begun.number else { return }
      try builds.wait(for: number, isFollowed: true, progress)
      return
    }
  }

  /// A change that is in the catalogue.
  private struct Begun {
    /// The number of its build; `nil` if nothing has to be built.
    let number: Int?
  }

  /// Begins to undo the change of an override for which a document can't be indexed.
  func takeBack(_ name: OverrideName) throws(DatabaseError) {
    try commitExclusively { group in
      let earlier = group.catalog.earlier[name]
      // If the earlier indexes aren't known, the ready ones take their place: an earlier release
      // began the change, or the earlier indexes can't be built any more either.
      let ready = group.catalog.override(name)?.indexes.filter { $0.value == .ready }.map(\.key)
      Engine.begin(
        name, earlier?.indexes ?? ready ?? [], isReverting: earlier?.isInherited ?? false,
        keepsEarlier: false, &group)
    }
  }

  /// Puts a change into the catalogue: the spaces to build and those to empty.
  ///
  /// - Parameter keepsEarlier: whether the earlier indexes come back if the change fails.
  private static func begin(
    _ name: OverrideName, _ indexes: [SingleFieldIndex], isReverting: Bool, keepsEarlier: Bool,
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
    // A change with nothing to build can't fail.
    let earlier =
      keepsEarlier && !building.isEmpty ? EarlierOverride(of: name, in: catalog) : nil
    group.replaceCatalog(
      catalog.with(override, retiring: retiring, isReverting: isReverting, earlier: earlier))
  }
}

/// The indexes that a field had before its override was changed.
struct EarlierOverride: Sendable {
  let indexes: [SingleFieldIndex]
  /// Whether the field had no override of its own.
  let isInherited: Bool

  init(_ indexes: [SingleFieldIndex], isInherited: Bool) {
    self.indexes = indexes
    self.isInherited = isInherited
  }

  init(of name: OverrideName, in catalog: Catalog) {
    let override = catalog.override(name)
    isInherited = override == nil
    indexes = override.map { Array($0.indexes.keys) } ?? catalog.indexes.inherited(name)
  }
}

extension Catalog {
  fileprivate func override(_ name: OverrideName) -> FieldOverride? {
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
