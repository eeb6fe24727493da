import DocumentModel
import OrderedStore
import StorageFormat

/// The keys that are left of an index or of kept counts that were dropped: nobody reads them any
/// more.
struct DroppedKeys: Sendable {
  /// The index's or the counts', which no other has or will have.
  let id: UInt64
  let range: KeyRange
}

/// The place up to which something dropped is deleted.
struct DropPosition: Sendable {
  /// The last key that was deleted: what the steps before deleted needn't be crossed.
  let last: [UInt8]
  /// Number of keys that were deleted up to there.
  let keyCount: Int
}

/// The outcome of a step that deletes what was dropped.
struct DropStep: Sendable {
  /// Places to go on from, by the id of what was dropped: another drop may come in front.
  fileprivate(set) var positions: [UInt64: DropPosition]
  /// Drops of which nothing is left, but that the store is to be compacted.
  fileprivate(set) var emptied: [DroppedKeys] = []
  /// Drops that are out of the catalogue, since they held little: the store is left to compact it.
  fileprivate var forgottenIDs: Set<UInt64> = []
  /// The keys that these had.
  fileprivate(set) var forgottenKeyCount = 0
}

extension Catalog {
  /// What is to be deleted, indexes first.
  var droppedKeys: [DroppedKeys] {
    let counts = tunings.counts.filter { $0.state == .retiring }
    return droppedIDs.map {
      DroppedKeys(id: $0, range: .prefix(StorageKey.compositePrefix(id: $0)))
    }
      + counts.map {
        DroppedKeys(id: $0.id, range: .prefix(StorageKey.keptCountsPrefix(id: $0.id)))
      }
  }

  /// Without what was dropped under some ids.
  fileprivate func forgetting(_ ids: Set<UInt64>) -> Catalog {
    with { contents in
      contents.droppedIDs.removeAll { ids.contains($0) }
      for id in ids { contents.tunings.remove(countsID: id) }
    }
  }
}

extension Engine {
  /// Deletes some of what was dropped, of as many indexes as one batch has room for. Those that
  /// held few keys are done with it, in the same commit.
  func stepDrops(_ dropped: [DroppedKeys]) throws(DatabaseError) -> DropStep {
    let limit = caches.settings.build.dropKeyCount
    let positions = building.dropPositions.withLock { $0 }
    let largeIDs = building.largeDropIDs.withLock { $0 }
    let step = try commitExclusively { group in
      try group.delete(dropped, from: positions, large: largeIDs, limit)
    }
    building.dropPositions.withLock { $0 = step.positions }
    // They stay so if their compaction fails.
    building.largeDropIDs.withLock { $0.formUnion(step.emptied.map(\.id)) }
    return step
  }

  /// Compacts the range of what was dropped and deleted, and then takes it out of the catalogue: a
  /// scan that ends there would cross all that was deleted, so a kill before leaves it to be done.
  ///
  /// - Throws: what the store reports; it is to be done again then.
  func forget(_ dropped: DroppedKeys) throws(DatabaseError) {
    try compact(dropped.range)
    try administering { () throws(DatabaseError) in
      try commitExclusively { $0.replaceCatalog($0.catalog.forgetting([dropped.id])) }
    }
    building.largeDropIDs.withLock { _ = $0.remove(dropped.id) }
  }
}

extension CommitGroup {
  /// Deletes the first keys of what was dropped.
  ///
  /// - Parameter largeIDs: of what held much, whatever is left of it.
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
