import HearthDocumentEngine
import HearthDocumentModel
import HearthOrderedStore
import HearthQueryPlanning
import HearthStorageFormat

/// A change of the catalogue that the entries of existing documents don't follow yet.
enum BuildTarget: Sendable, Hashable {
  /// A composite index that writers maintain and queries don't use yet.
  case index(CompositeIndex)
  /// A composite index whose entries are to carry their documents, or to carry them no longer.
  case covering(CompositeIndex, TuningState)
  /// The index by which a time to live finds its documents.
  case timeToLive(TimeToLive)
  /// The spaces that an override adds, which are to be built, and those that it gives up, which are
  /// to be emptied.
  case override(FieldOverride, building: AutomaticSpaces, retiring: AutomaticSpaces)

  var name: BuildName {
    switch self {
    case .index(let index): .index(index.id)
    case .covering(let index, _): .covering(index.id)
    case .timeToLive(let policy): .timeToLive(policy.index.id)
    case .override(let override, _, _): .override(OverrideName(override))
    }
  }

  /// The composite index whose entries are made.
  var composite: CompositeIndex? {
    switch self {
    case .index(let index), .covering(let index, _): index
    case .timeToLive(let policy): policy.index
    case .override: nil
    }
  }

  /// Whether the build waits until it is resumed.
  var isPaused: Bool { if case .index(let index) = self { index.isPaused } else { false } }

  var collectionGroup: String {
    switch self {
    case .index(let index), .covering(let index, _): index.definition.collectionGroup
    case .timeToLive(let policy): policy.collectionGroup
    case .override(let override, _, _): override.collectionGroup
    }
  }

  /// Whether the build reads documents. An override that changes no entries needs none.
  var readsDocuments: Bool {
    if case .override(_, let building, let retiring) = self {
      !building.isEmpty || !retiring.isEmpty
    } else {
      true
    }
  }

  /// Whether the build adds entries that count towards a document's limits (§1.2). Entries that
  /// only Hearth needs don't count, nor do those that are deleted or written once more.
  var addsCountedEntries: Bool {
    switch self {
    case .index: true
    case .override(_, let building, _): !building.isEmpty
    case .covering, .timeToLive: false
    }
  }

  /// The key under which the build stores its checkpoint, the key of the next document.
  var checkpointKey: [UInt8] {
    switch self {
    case .index(let index), .covering(let index, _): StorageKey.checkpoint(compositeID: index.id)
    case .timeToLive(let policy): StorageKey.checkpoint(compositeID: policy.index.id)
    case .override(let override, _, _):
      StorageKey.checkpoint(overrideOf: override.collectionGroup, field: override.field)
    }
  }
}

/// The identity of a target, which stays the same when its state changes.
enum BuildName: Sendable, Hashable {
  case index(UInt64)
  case covering(UInt64)
  case timeToLive(UInt64)
  case override(OverrideName)
}

extension Catalog {
  /// All targets that aren't built yet, paused ones included. The overrides come first, then the
  /// indexes in the order in which they were begun, then those of times to live.
  var unfinishedTargets: [BuildTarget] {
    let overrides = indexes.overrides.filter(isUnfinished).map { override in
      BuildTarget.override(
        override,
        building: AutomaticSpaces(override.indexes.filter { $0.value == .creating }.map(\.key)),
        retiring: changes[OverrideName(override)]?.retiring ?? [])
    }
    let composites = indexes.composites.sorted { $0.id < $1.id }.compactMap { index in
      if index.state == .creating { return BuildTarget.index(index) }
      guard let covering = tunings.covering[index.id], covering != .ready else { return nil }
      return BuildTarget.covering(index, covering)
    }
    let policies = timesToLive.filter { $0.index.state == .creating }.map(BuildTarget.timeToLive)
    return overrides + composites + policies
  }

  /// The targets that may be built now.
  var buildTargets: [BuildTarget] {
    unfinishedTargets.filter { !$0.isPaused }
  }
}

extension CommitDraft {
  /// Records in the catalogue that `target` is built.
  mutating func complete(_ target: BuildTarget) {
    delete(target.checkpointKey)
    switch target {
    case .index(let index):
      updateComposite(index.id) {
        $0.state = .ready
        $0.isPaused = false
      }
    case .covering(let index, let state):
      updateTunings { $0.setCovering(state == .creating ? .ready : nil, ofIndex: index.id) }
    case .timeToLive(let policy):
      updateTimesToLive { $0.index.id == policy.index.id ? $0.with(.ready) : $0 }
    case .override(let override, _, _):
      let settled = FieldOverride(
        override.collectionGroup, override.field, Array(override.indexes.keys).ready)
      let name = OverrideName(override)
      let isReverting = catalog.changes[name]?.isReverting ?? false
      replaceCatalog(
        catalog.with { $0.set(isReverting ? nil : settled, named: name, OverrideChange()) })
    }
  }

  mutating func setCheckpoint(of target: BuildTarget, to next: UInt64) {
    put(target.checkpointKey, StorageKey.document(next))
  }
}

extension ReadView {
  /// Returns the number of the document at which the build goes on. Earlier releases stored a name
  /// and built in the order of names. Such a build begins again and puts its entries once more.
  func checkpoint(of target: BuildTarget) throws(DatabaseError) -> UInt64 {
    try reportingErrors {
      guard let key = try snapshot.value(of: target.checkpointKey),
        StorageKey.isDocument(key.span.bytes)
      else { return 0 }
      return try StorageKey.documentNumber(of: key.span.bytes)
    }
  }
}
