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
  /// What is stored of it.
  struct Contents: Sendable {
    let databaseID: DatabaseID
    /// The indexes that are maintained: what the planner chooses from.
    var indexes = IndexSet()
    /// Composite indexes that were dropped and whose entries are still to be deleted.
    var droppedIDs: [UInt64] = []
    /// Composite indexes whose build is held up.
    var pausedIDs: Set<UInt64> = []
    /// Spaces that an override gave up and whose entries are still to be deleted.
    var retiring: [OverrideName: AutomaticSpaces] = [:]
    /// Overrides that go once their fields are back at what holds without them.
    var reverting: Set<OverrideName> = []
    /// What overrides that are being built are to be again if their change fails.
    var earlier: [OverrideName: EarlierOverride] = [:]
    /// Of each collection group one at most.
    var timesToLive: [TimeToLive] = []
    /// What is stored beyond what the indexes' definitions say.
    var tunings = Tunings()

    init(databaseID: DatabaseID) {
      self.databaseID = databaseID
    }
  }

  private let contents: Contents
  /// Plans that were made with these indexes.
  let plans = PlanCache()

  private let countsByGroup: [UTF8Key: [KeptCounts]]
  private let indexesByGroup: [UTF8Key: GroupIndexes]

  package var databaseID: DatabaseID { contents.databaseID }
  package var indexes: IndexSet { contents.indexes }
  package var droppedIDs: [UInt64] { contents.droppedIDs }
  var pausedIDs: Set<UInt64> { contents.pausedIDs }
  var retiring: [OverrideName: AutomaticSpaces] { contents.retiring }
  var reverting: Set<OverrideName> { contents.reverting }
  var earlier: [OverrideName: EarlierOverride] { contents.earlier }
  package var timesToLive: [TimeToLive] { contents.timesToLive }
  package var tunings: Tunings { contents.tunings }

  init(_ contents: Contents) {
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
    .mapValues { [retiring = contents.retiring] overrides in
      AutomaticRules(
        overrides.map { override in
          let name = OverrideName(override)
          return AutomaticRules.Rule(
            name: name, indexing: AutomaticIndexing(override.indexes.keys),
            ready: AutomaticSpaces(override.indexes.filter { $0.value == .ready }.keys),
            retiring: retiring[name] ?? [])
        })
    }
    let timesToLiveByGroup = Dictionary(grouping: contents.timesToLive) {
      UTF8Key($0.collectionGroup)
    }
    let groups = Set(compositesByGroup.keys).union(rulesByGroup.keys)
      .union(timesToLiveByGroup.keys)
    var indexesByGroup: [UTF8Key: GroupIndexes] = [:]
    for group in groups {
      indexesByGroup[group] = GroupIndexes(
        compositesByGroup[group] ?? [], rulesByGroup[group] ?? AutomaticRules([]),
        contents.tunings, timesToLive: timesToLiveByGroup[group] ?? [])
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
  /// The catalogue with its contents changed.
  func with(_ change: (inout Contents) -> Void) -> Catalog {
    var contents = contents
    change(&contents)
    return Catalog(contents)
  }

  /// The catalogue with `override` in place of the one of its name.
  func with(
    _ override: FieldOverride, retiring spaces: AutomaticSpaces, isReverting: Bool,
    earlier: EarlierOverride?
  ) -> Catalog {
    let name = OverrideName(override)
    return with { contents in
      contents.indexes.overrides.removeAll { OverrideName($0) == name }
      contents.indexes.overrides.append(override)
      contents.retiring[name] = spaces.isEmpty ? nil : spaces
      if isReverting { contents.reverting.insert(name) } else { contents.reverting.remove(name) }
      contents.earlier[name] = earlier
    }
  }

  func without(_ name: OverrideName) -> Catalog {
    with { contents in
      contents.indexes.overrides.removeAll { OverrideName($0) == name }
      contents.retiring[name] = nil
      contents.reverting.remove(name)
      contents.earlier[name] = nil
    }
  }
}

extension Catalog {
  /// A key in words.
  func describe(_ key: [UInt8]) -> String {
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
