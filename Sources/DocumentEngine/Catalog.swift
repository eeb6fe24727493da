package import DocumentModel
package import QueryPlanning
import StorageFormat

/// The name of a field override: `*` has no field (§3.3).
struct OverrideName: Sendable, Hashable {
  let group: UTF8Key
  let field: FieldPath?

  init(_ collectionGroup: String, _ field: FieldPath?) {
    group = UTF8Key(collectionGroup)
    self.field = field
  }

  init(_ override: FieldOverride) {
    self.init(override.collectionGroup, override.field)
  }
}

/// All that a database knows of itself besides documents: its identity and its indexes.
package final class Catalog: Sendable {
  package let databaseID: DatabaseID
  /// The indexes that are maintained: what the planner chooses from.
  package let indexes: IndexSet
  /// Composite indexes that were dropped and whose entries are still to be deleted.
  let droppedIDs: [UInt64]
  /// Spaces that an override gave up and whose entries are still to be deleted.
  let retiring: [OverrideName: AutomaticSpaces]
  /// Overrides that go once their fields are back at what holds without them.
  let reverting: Set<OverrideName>
  /// What is stored beyond what the indexes' definitions say.
  package let tunings: Tunings

  /// Plans that were made with these indexes.
  let plans = PlanCache()

  private let countsByGroup: [UTF8Key: [KeptCounts]]
  private let indexesByGroup: [UTF8Key: GroupIndexes]

  init(
    databaseID: DatabaseID, indexes: IndexSet = IndexSet(), droppedIDs: [UInt64] = [],
    retiring: [OverrideName: AutomaticSpaces] = [:], reverting: Set<OverrideName> = [],
    tunings: Tunings = Tunings()
  ) {
    self.databaseID = databaseID
    self.indexes = indexes
    self.droppedIDs = droppedIDs
    self.retiring = retiring
    self.reverting = reverting
    self.tunings = tunings.keeping(indexes.composites)
    countsByGroup = Dictionary(grouping: tunings.counts) {
      UTF8Key($0.definition.collectionGroup)
    }
    let compositesByGroup = Dictionary(grouping: indexes.composites) {
      UTF8Key($0.definition.collectionGroup)
    }
    let rulesByGroup = Dictionary(grouping: indexes.overrides) { UTF8Key($0.collectionGroup) }
      .mapValues { overrides in
        AutomaticRules(
          overrides.map { override in
            let name = OverrideName(override)
            return AutomaticRules.Rule(
              name: name, indexing: AutomaticIndexing(override.indexes.keys),
              ready: AutomaticSpaces(override.indexes.filter { $0.value == .ready }.keys),
              retiring: retiring[name] ?? [])
          })
      }
    var indexesByGroup: [UTF8Key: GroupIndexes] = [:]
    for group in Set(compositesByGroup.keys).union(rulesByGroup.keys) {
      indexesByGroup[group] = GroupIndexes(
        compositesByGroup[group] ?? [], rulesByGroup[group] ?? AutomaticRules([]), self.tunings)
    }
    self.indexesByGroup = indexesByGroup
  }

  /// The counts that are kept of documents of a collection id, those that come and go included.
  func counts(of collectionID: String) -> [KeptCounts] {
    guard !countsByGroup.isEmpty else { return [] }
    return countsByGroup[UTF8Key(collectionID)] ?? []
  }

  /// The indexes that documents of a collection id have entries in, as writing needs them.
  func indexes(of collectionID: String) -> GroupIndexes {
    indexesByGroup[UTF8Key(collectionID)] ?? .defaults
  }
}

// MARK: Changes

extension Catalog {
  func with(
    _ indexes: IndexSet? = nil, droppedIDs: [UInt64]? = nil
  ) -> Catalog {
    Catalog(
      databaseID: databaseID, indexes: indexes ?? self.indexes,
      droppedIDs: droppedIDs ?? self.droppedIDs, retiring: retiring, reverting: reverting,
      tunings: tunings)
  }

  func with(_ tunings: Tunings) -> Catalog {
    Catalog(
      databaseID: databaseID, indexes: indexes, droppedIDs: droppedIDs, retiring: retiring,
      reverting: reverting, tunings: tunings)
  }

  /// The catalogue with `override` in place of the one of its name.
  func with(
    _ override: FieldOverride, retiring spaces: AutomaticSpaces, isReverting: Bool
  ) -> Catalog {
    let name = OverrideName(override)
    var indexes = indexes
    indexes.overrides.removeAll { OverrideName($0) == name }
    indexes.overrides.append(override)
    var retiring = retiring
    retiring[name] = spaces.isEmpty ? nil : spaces
    var reverting = reverting
    if isReverting { reverting.insert(name) } else { reverting.remove(name) }
    return Catalog(
      databaseID: databaseID, indexes: indexes, droppedIDs: droppedIDs, retiring: retiring,
      reverting: reverting, tunings: tunings)
  }

  func without(_ name: OverrideName) -> Catalog {
    var indexes = indexes
    indexes.overrides.removeAll { OverrideName($0) == name }
    return Catalog(
      databaseID: databaseID, indexes: indexes, droppedIDs: droppedIDs,
      retiring: retiring.filter { $0.key != name }, reverting: reverting.subtracting([name]),
      tunings: tunings)
  }
}

extension Catalog {
  /// A key in words.
  func describe(_ key: [UInt8]) -> String {
    StorageKey.describe(key.span.bytes, own: databaseID) { id in
      guard let index = indexes.composites.first(where: { $0.id == id }) else { return nil }
      let orders = index.definition.columns.map { ColumnOrder($0.mode) }
      return EntryLayout(
        columns: orders.dropLast(), nameOrder: orders.last ?? .ascending,
        isGroup: index.definition.scope == .collectionGroup)
    }
  }
}
