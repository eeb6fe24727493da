import HearthDocumentEngine
import HearthDocumentModel
import HearthOrderedStore
import HearthQueryPlanning
import HearthStorageFormat

/// The remaining keys of a dropped index, or of dropped kept counts. No reader uses them any more.
struct DroppedKeys: Sendable {
  /// The id of the index or of the counts, which is never used again.
  let id: UInt64
  let range: KeyRange
}

/// The position up to which a drop's keys are deleted.
struct DropPosition: Sendable {
  /// The last deleted key. The next step begins here, so that it doesn't cross the keys that
  /// earlier steps deleted.
  let last: [UInt8]
  /// The number of keys deleted up to there.
  let keyCount: Int
}

/// The outcome of a step that deletes dropped keys.
struct DropStep: Sendable {
  /// The positions to continue from, by the id of the drop. Ids are used since another drop may
  /// come first.
  fileprivate(set) var positions: [UInt64: DropPosition]
  /// The drops that have no keys left, and whose range is still to be compacted.
  fileprivate(set) var emptied: [DroppedKeys] = []
  /// The ids of drops that the step takes out of the catalogue. They had few keys, so the
  /// compaction is left to the store.
  fileprivate var forgottenIDs: Set<UInt64> = []
  /// The number of keys that these had.
  fileprivate(set) var forgottenKeyCount = 0
}

/// The progress of drops since the database was opened.
struct DropTable: Sendable {
  /// The positions up to which drops have been deleted, by the drop's id.
  private(set) var positions: [UInt64: DropPosition] = [:]
  /// The ids of the drops that held much, or may have. How much an earlier open of the database
  /// deleted of a drop is unknown.
  var largeIDs: Set<UInt64>
  /// The ids of the drops whose keys are deleted. The thread that deleted them, or the upkeep,
  /// compacts them: no other thread is to come for them. Some callers that wait for them see them
  /// as done.
  var emptiedIDs: Set<UInt64> = []
  /// The number of keys that drops deleted and left to a later compaction.
  private var uncompactedKeyCount = 0

  /// - Parameter catalog: the catalogue at the beginning of the upkeep.
  init(of catalog: Catalog) { largeIDs = Set(catalog.droppedKeys.map(\.id)) }

  mutating func note(_ step: DropStep) {
    let emptied = step.emptied.map(\.id)
    positions = step.positions
    // They stay large if their compaction fails.
    largeIDs.formUnion(emptied)
    emptiedIDs.formUnion(emptied)
    uncompactedKeyCount += step.forgottenKeyCount
  }

  /// Returns whether the drops that held little each left enough keys for a compaction, which the
  /// caller then has to make.
  mutating func takesCompaction() -> Bool {
    guard uncompactedKeyCount >= DeletedRanges.threshold else { return false }
    uncompactedKeyCount = 0
    return true
  }
}

extension Catalog {
  /// The keys that are to be deleted, those of indexes first.
  var droppedKeys: [DroppedKeys] {
    let counts = tunings.counts.filter { $0.state == .retiring }
    return droppedIDs.map {
      DroppedKeys(id: $0, range: .prefix(StorageKey.compositePrefix(id: $0)))
    }
      + counts.map {
        DroppedKeys(id: $0.id, range: .prefix(StorageKey.keptCountsPrefix(id: $0.id)))
      }
  }

  /// Returns the catalogue without the drops that have these ids.
  fileprivate func forgetting(_ ids: Set<UInt64>) -> Catalog {
    with { contents in
      contents.droppedIDs.removeAll { ids.contains($0) }
      for id in ids { contents.tunings.remove(countsID: id) }
    }
  }
}

extension ReadView {
  /// Whether a space is that of an index that was dropped.
  ///
  /// LevelDB may bring back some of the keys that were discarded (``StoreBatch/Operation``), long
  /// after the catalogue has forgotten the index. Its id is never given again.
  func isGone(_ space: EntrySpace) -> Bool {
    guard case .composite(let id) = space, id < nextIndexID else { return false }
    return !catalog.indexes.composites.contains { $0.id == id }
      && !catalog.timesToLive.contains { $0.index.id == id }
  }
}

extension Engine {
  /// Deletes some dropped keys, of as many indexes as fit into one batch. A drop that had few keys
  /// is taken out of the catalogue in the same commit.
  func stepDrops(_ dropped: [DroppedKeys]) throws(DatabaseError) -> DropStep {
    let limit = settings.build.dropKeyCount
    let jobs = buildState.jobs
    let table = jobs.withLock { $0.drops }
    let step = try commitExclusively { group in
      try group.delete(dropped, from: table.positions, large: table.largeIDs, limit)
    }
    jobs.withLock { $0.drops.note(step) }
    return step
  }

  /// Compacts the range of a drop whose keys are deleted, and then takes it out of the catalogue. A
  /// scan that ends there would cross all the deleted keys. The drop stays in the catalogue until
  /// then, so that the compaction isn't lost if the process is killed.
  ///
  /// - Throws: errors of the store. The caller must then call it again.
  func forget(_ dropped: DroppedKeys) throws(DatabaseError) {
    try compact(dropped.range)
    try administer { $0.replaceCatalog($0.catalog.forgetting([dropped.id])) }
    buildState.jobs.withLock { _ = $0.drops.largeIDs.remove(dropped.id) }
  }
}

extension CommitDraft {
  /// Deletes the first keys of the drops.
  ///
  /// - Parameter largeIDs: the ids of drops that had many keys, regardless of the number that is
  ///   left.
  fileprivate mutating func delete(
    _ dropped: [DroppedKeys], from positions: [UInt64: DropPosition],
    large largeIDs: Set<UInt64>, _ limit: Int
  ) throws -> DropStep {
    var step = DropStep(positions: positions)
    var left = limit
    for drop in dropped {
      let begun = positions[drop.id]
      let rest = KeyRange(lower: begun?.last ?? drop.range.lower, upper: drop.range.upper)
      let keys = try deleteKeys(in: rest, left)
      let keyCount = keys.count + (begun?.keyCount ?? 0)
      left -= keys.count
      if left == 0, let last = keys.last {
        step.positions[drop.id] = DropPosition(last: last, keyCount: keyCount)
        break
      }
      step.positions[drop.id] = nil
      if keyCount < DeletedRanges.threshold, !largeIDs.contains(drop.id) {
        step.forgottenIDs.insert(drop.id)
        step.forgottenKeyCount += keyCount
      } else {
        step.emptied.append(drop)
      }
    }
    if !step.forgottenIDs.isEmpty { replaceCatalog(catalog.forgetting(step.forgottenIDs)) }
    return step
  }

  /// Deletes the first keys of a range, and returns them.
  private mutating func deleteKeys(in range: KeyRange, _ limit: Int) throws -> [[UInt8]] {
    var keys: [[UInt8]] = []
    try view.snapshot.forEachEntry(in: range) { key, _ in
      keys.append([UInt8](copying: key))
      return keys.count < limit
    }
    for key in keys { discard(key) }
    return keys
  }
}
