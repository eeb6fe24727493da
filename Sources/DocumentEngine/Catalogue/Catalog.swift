package import HearthDocumentModel
package import HearthQueryPlanning
import HearthStorageFormat

/// The name of a field override. `*` has no field (§3.3).
package struct OverrideName: Sendable, Hashable {
  package let group: UTF8Key
  package let field: FieldPath?

  package init(_ collectionGroup: String, _ field: FieldPath?) {
    group = UTF8Key(collectionGroup)
    self.field = field
  }

  package init(_ override: FieldOverride) {
    self.init(override.collectionGroup, override.field)
  }
}

/// The catalogue of a database: its identity, its indexes and their settings.
package final class Catalog: Sendable {
  /// The stored contents of a catalogue.
  package struct Contents: Sendable {
    package let databaseID: DatabaseID
    /// The maintained indexes, among which the planner chooses.
    package var indexes = IndexSet()
    /// Composite indexes that were dropped and whose entries are still to be deleted.
    package var droppedIDs: [UInt64] = []
    /// The changes of overrides that aren't over.
    package var changes: [OverrideName: OverrideChange] = [:]
    /// The times to live, at most one for each collection group.
    package var timesToLive: [TimeToLive] = []
    /// The data that is stored beyond the definitions of indexes.
    package var tunings = Tunings()

    package init(databaseID: DatabaseID) {
      self.databaseID = databaseID
    }

    /// Adds an override, or replaces the one with the same name. For `nil`, removes it.
    package mutating func set(
      _ override: FieldOverride?, named name: OverrideName, _ change: OverrideChange
    ) {
      indexes.overrides.removeAll { OverrideName($0) == name }
      if let override { indexes.overrides.append(override) }
      changes[name] = change.isOver ? nil : change
    }
  }

  private let contents: Contents
  /// Plans made with these indexes.
  let plans = PlanCache()

  private let countsByGroup: [UTF8Key: [KeptCounts]]
  private let indexesByGroup: [UTF8Key: CollectionIndexes]

  package var databaseID: DatabaseID { contents.databaseID }
  package var indexes: IndexSet { contents.indexes }
  package var droppedIDs: [UInt64] { contents.droppedIDs }
  package var changes: [OverrideName: OverrideChange] { contents.changes }
  package var timesToLive: [TimeToLive] { contents.timesToLive }
  package var tunings: Tunings { contents.tunings }

  package init(_ contents: Contents) {
    var contents = contents
    contents.tunings = contents.tunings.keeping(contents.indexes.composites)
    self.contents = contents
    countsByGroup = Dictionary(grouping: contents.tunings.counts) {
      UTF8Key($0.definition.collectionGroup)
    }
    let compositesByGroup = Dictionary(grouping: contents.indexes.composites) {
      UTF8Key($0.definition.collectionGroup)
    }
    let rulesByGroup = Dictionary(grouping: contents.indexes.overrides) {
      UTF8Key($0.collectionGroup)
    }
    .mapValues { [changes = contents.changes] overrides in
      AutomaticRules(
        overrides.map { override in
          let name = OverrideName(override)
          return AutomaticRules.Rule(
            name: name, indexing: AutomaticIndexing(override.indexes.keys),
            ready: AutomaticSpaces(override.indexes.filter { $0.value == .ready }.keys),
            retiring: changes[name]?.retiring ?? [])
        })
    }
    let timesToLiveByGroup = Dictionary(grouping: contents.timesToLive) {
      UTF8Key($0.collectionGroup)
    }
    let groups = Set(compositesByGroup.keys).union(rulesByGroup.keys)
      .union(timesToLiveByGroup.keys)
    var indexesByGroup: [UTF8Key: CollectionIndexes] = [:]
    for group in groups {
      indexesByGroup[group] = CollectionIndexes(
        compositesByGroup[group] ?? [], rulesByGroup[group] ?? AutomaticRules([]),
        contents.tunings, timesToLive: timesToLiveByGroup[group] ?? [])
    }
    self.indexesByGroup = indexesByGroup
  }

  /// Returns the kept counts of documents of a collection id, including those that are being built
  /// or dropped.
  package func counts(of collectionID: String) -> [KeptCounts] {
    guard !countsByGroup.isEmpty else { return [] }
    return countsByGroup[UTF8Key(collectionID)] ?? []
  }

  /// Returns the indexes of documents of a collection id, in the form that writers need.
  func indexes(of collectionID: String) -> CollectionIndexes {
    indexesByGroup[UTF8Key(collectionID)] ?? .defaults
  }

  /// Whether the entries of existing documents don't follow an override yet.
  package func isUnfinished(_ override: FieldOverride) -> Bool {
    changes[OverrideName(override)] != nil || override.indexes.values.contains(.creating)
  }
}

// MARK: Changes

extension Catalog {
  /// Returns the catalogue with changed contents.
  package func with(_ change: (inout Contents) -> Void) -> Catalog {
    var contents = contents
    change(&contents)
    return Catalog(contents)
  }
}

extension Catalog {
  /// Returns a key in words.
  package func describe(_ key: [UInt8]) -> String {
    StorageKey.describe(key.span.bytes, own: databaseID) { id in
      let all = indexes.composites + timesToLive.map(\.index)
      guard let index = all.first(where: { $0.id == id }) else { return nil }
      let orders = index.definition.columns.map { ColumnOrder($0.mode) }
      return EntryLayout(
        columns: orders.dropLast(), nameOrder: orders.last ?? .ascending,
        isGroup: index.definition.scope == .collectionGroup)
    }
  }
}
