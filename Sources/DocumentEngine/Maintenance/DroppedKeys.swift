import DocumentModel
import OrderedStore
import StorageFormat

/// What is left of an index or of kept counts that were dropped: nobody reads it any more.
struct DroppedKeys: Sendable {
  /// The index's or the counts', which no other has or will have.
  let id: UInt64
  let range: KeyRange
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
}

extension Engine {
  /// Deletes some of what was dropped.
  ///
  /// - Returns: whether nothing is left of it.
  func stepDrop(_ dropped: DroppedKeys) throws(DatabaseError) -> Bool {
    let limit = caches.settings.build.dropKeyCount
    // What the steps before deleted needn't be crossed.
    let position = building.dropPosition.withLock { $0?.id == dropped.id ? $0?.last : nil }
    let rest = KeyRange(lower: position ?? dropped.range.lower, upper: dropped.range.upper)
    let last = try commitExclusively { try $0.deleteKeys(in: rest, limit) }
    building.dropPosition.withLock { position in position = last.map { (dropped.id, $0) } }
    return last == nil
  }

  /// Compacts the range of what was dropped and deleted, and then takes it out of the catalogue: a
  /// scan that ends there would cross all that was deleted, so a kill before leaves it to be done.
  ///
  /// - Throws: what the store reports; it is to be done again then.
  func forget(_ dropped: DroppedKeys) throws(DatabaseError) {
    try compact(dropped.range)
    try administering { () throws(DatabaseError) in
      try commitExclusively { group in
        group.replaceCatalog(
          group.catalog.with { contents in
            contents.droppedIDs.removeAll { $0 == dropped.id }
            contents.tunings.remove(countsID: dropped.id)
          })
      }
    }
  }
}

extension CommitGroup {
  /// Deletes the first keys of a range.
  ///
  /// - Returns: the last of them if there were `limit`; `nil` if none is left.
  fileprivate mutating func deleteKeys(in range: KeyRange, _ limit: Int) throws -> [UInt8]? {
    var keys: [[UInt8]] = []
    try view.snapshot.forEachEntry(in: range) { key, _ in
      keys.append([UInt8](copying: key))
      return keys.count < limit
    }
    for key in keys { delete(key) }
    return keys.count < limit ? nil : keys.last
  }
}
