package import HearthDocumentEngine
package import HearthDocumentModel
import HearthOrderedStore
package import HearthStorageFormat

extension Engine {
  /// Rewrites the store's files without deleted and overwritten entries.
  ///
  /// - Complexity: all bytes of the database.
  /// - Throws: errors of the store.
  package func compact() throws(DatabaseError) {
    try process.check()
    try checkWritable()
    trimHistory()
    try compact(.all)
  }

  /// Rewrites the store's files that hold a range of keys, without deleted and overwritten entries.
  ///
  /// Reads and writes continue meanwhile. Entries that a snapshot still holds stay: the snapshots
  /// of readers, and the history that is kept.
  ///
  /// - Complexity: the bytes in the range.
  /// - Throws: errors of the store.
  package func compact(_ range: KeyRange) throws(DatabaseError) {
    try compact(range, for: [])
  }

  /// - Parameter taken: regions in the range that were due; they are noted again if the store
  ///   leaves deleted keys to a later compaction.
  private func compact(
    _ range: KeyRange, for taken: [DeletedRanges.Region]
  ) throws(DatabaseError) {
    let regions = taken + deletedRanges.remove(in: range)
    releaseSnapshots()
    let reachesAll = try reportingErrors {
      try store.compact(from: range.lower, to: range.upper)
    }
    if !reachesAll { deletedRanges.postpone(regions) }
    releaseSnapshots()
  }

  /// Looks for ranges in which much was deleted, and compacts one of them.
  ///
  /// A range that holds more entries than were deleted is left alone. Reads cross little there, and
  /// rewriting it would cost more than it saves.
  ///
  /// - Parameter isFinal: whether not to wait for deletions that may still continue. Otherwise a
  ///   range is compacted once there were none between two looks.
  /// - Returns: whether there may be another range.
  /// - Complexity: the bytes in the range.
  /// - Throws: errors of the store.
  package func compactDeleted(isFinal: Bool = false) throws(DatabaseError) -> Bool {
    guard let region = deletedRanges.takeDue() else {
      return deletedRanges.look(isFinal: isFinal)
    }
    let isWorthwhile = try reportingErrors {
      try store.makeCursor().count(in: region.range, upTo: region.count + 1) <= region.count
    }
    if isWorthwhile { try compact(region.range, for: [region]) }
    return true
  }

  /// Compacts all ranges in which much was deleted, for the caller that deleted it.
  ///
  /// - Complexity: the bytes in the ranges.
  /// - Throws: errors of the store.
  package func compactAllDeleted() throws(DatabaseError) {
    while try compactDeleted(isFinal: true) {}
  }

  /// Calls `compactAllDeleted()` if the caller has deleted 10,000 documents or more. Fewer are
  /// left to the store. Those of other callers are left to the regular calls of
  /// `compactDeleted(isFinal:)`.
  ///
  /// - Throws: errors of the store.
  package func compactAllDeleted(afterDeleting documentCount: Int) throws(DatabaseError) {
    if documentCount >= DeletedRanges.threshold { try compactAllDeleted() }
  }
}

extension StoreCursor {
  /// Returns the number of entries in a range, at most `limit`.
  fileprivate func count(in range: KeyRange, upTo limit: Int) throws -> Int {
    var count = 0
    try forEachEntry(in: range) { _, _ in
      count += 1
      return count < limit
    }
    return count
  }
}
