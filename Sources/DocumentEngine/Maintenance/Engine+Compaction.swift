package import DocumentModel
import OrderedStore
package import StorageFormat

extension Engine {
  /// Rewrites the store's files where they hold a range of keys, without what was deleted or
  /// overwritten there.
  ///
  /// Reads and writes go on meanwhile. What a snapshot still holds stays: those of readers, and the
  /// past that is kept.
  ///
  /// - Complexity: the bytes that lie in the range.
  /// - Throws: what the store reports.
  package func compact(_ range: KeyRange) throws(DatabaseError) {
    deletedRanges.remove(in: range)
    releaseSnapshots()
    try reportingErrors { try store.compact(from: range.lower, to: range.upper) }
    releaseSnapshots()
  }

  /// Looks for ranges in which much was deleted, and compacts one of them.
  ///
  /// A range with more left in it than was deleted is left alone: reads cross little there, and
  /// rewriting it would cost more than it saves.
  ///
  /// - Parameter isFinal: whether deletions that may still go on are not waited for; otherwise a
  ///   range is compacted once there were none between two looks.
  /// - Returns: whether there may be another.
  /// - Complexity: what lies in the range.
  /// - Throws: what the store reports.
  package func compactDeleted(isFinal: Bool = false) throws(DatabaseError) -> Bool {
    guard let region = deletedRanges.takeDue() else { return deletedRanges.look(isFinal: isFinal) }
    let isWorthwhile = try reportingErrors {
      try store.makeCursor().count(in: region.range, upTo: region.count + 1) <= region.count
    }
    if isWorthwhile { try compact(region.range) }
    return true
  }

  /// Compacts all ranges in which much was deleted, for a caller who has deleted it.
  ///
  /// - Complexity: what lies in the ranges.
  /// - Throws: what the store reports.
  package func compactAllDeleted() throws(DatabaseError) {
    while try compactDeleted(isFinal: true) {}
  }

  /// The same for a caller who has deleted so many documents: what is left of few is left to the
  /// store, and what others have deleted to whoever looks now and then.
  ///
  /// - Throws: what the store reports.
  package func compactAllDeleted(afterDeleting documentCount: Int) throws(DatabaseError) {
    if documentCount >= DeletedRanges.threshold { try compactAllDeleted() }
  }
}

extension StoreCursor {
  /// The number of entries in a range, or `limit` if there are so many.
  fileprivate func count(in range: KeyRange, upTo limit: Int) throws -> Int {
    var count = 0
    try forEachEntry(in: range) { _, _ in
      count += 1
      return count < limit
    }
    return count
  }
}
