import HearthDocumentModel
import HearthOrderedStore
import HearthStorageFormat

extension CommitDraft {
  /// Records the effect of a request's change of a document on kept counts.
  mutating func count(_ change: DocumentChange) {
    guard let id = change.path.parent.lastSegment else { return }
    for counts in catalog.counts(of: id) where countedExtent.holds(change.path, in: counts) {
      let encoder = ValueEncoder(own: catalog.databaseID)
      let old = change.old.flatMap { counts.key(of: $0, encoder) }
      let new = change.new.flatMap { counts.key(of: $0, encoder) }
      guard old != new else { continue }
      if let old { countChanges.add(-1, to: old) }
      if let new { countChanges.add(1, to: new) }
    }
  }

  /// Finds a request that would make a stored count negative. Such a request fails alone.
  ///
  /// - Parameter mark: the mark at which the request's changes begin.
  mutating func checkCounts(since mark: Int) throws {
    guard countChanges.mark > mark else { return }
    let (view, catalog) = (view, catalog)
    func damaged(_ what: String) -> DatabaseError {
      .damaged("\(what) Drop these counts and keep them again.")
    }
    try countChanges.check(since: mark) { key in
      do {
        return try view.keptCount(at: key)
      } catch let error as CorruptBytes {
        throw damaged("\(catalog.describe(key)) can't be read: \(error)")
      }
    } wrong: { key, before in
      throw damaged("\(catalog.describe(key)) is \(before), fewer than the documents that go.")
    }
  }

  /// Writes the counts that change. The changes that all requests of the group make to one count
  /// are one write.
  mutating func putCounts() {
    newCounts = countChanges.results
    for (key, count) in newCounts {
      if count == 0 { delete(key) } else { put(key, StorageKey.numberValue(UInt64(count))) }
    }
  }

  /// Whether a request so far changes a count that was read.
  func changesCount(in reads: ReadSet.Merged) -> Bool {
    countChanges.changedKeys.contains { reads.contains($0.span.bytes) }
  }
}

extension ReadView {
  /// Returns the count under a key; 0 if there is none.
  func keptCount(at key: [UInt8]) throws -> Int {
    if let count = caches.counts?.count(key, at: commitNumber) { return count }
    let count = try storedCount(at: key)
    caches.counts?.insert(count, key, readAt: commitNumber)
    return count
  }

  private func storedCount(at key: [UInt8]) throws -> Int {
    guard let bytes = try snapshot.value(of: key) else { return 0 }
    let number = try StorageKey.number(of: bytes.span.bytes)
    guard let count = Int(exactly: number) else { throw CorruptBytes("count", at: 0) }
    return count
  }
}
