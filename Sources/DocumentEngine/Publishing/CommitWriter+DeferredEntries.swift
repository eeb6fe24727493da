import HearthDocumentModel
import HearthOrderedStore
import HearthStorageFormat

/// The index entries of loads, which are put later than their documents, in the order of their
/// keys. A store takes them so with a fraction of the work.
///
/// The state record says from which number on documents may lack entries. Such documents are read
/// by name, but readers get no view of them: the first reader that asks for a view has the entries
/// put, and waits for that. They are gathered while the documents are written. After a crash, or if
/// another change makes the gathered ones wrong, they are made anew from the documents.
extension CommitWriter {
  private var tuning: LoadTuning { publication.caches.settings.load }

  /// Puts the entries of all documents that lack theirs. No other commit is made meanwhile.
  ///
  /// - Parameter progress: a closure that receives the number of entries that are put so far.
  /// - Throws: errors of the store; `failedPrecondition` in a database that was opened for reading
  ///   only.
  func completeEntries(progress: @escaping @Sendable (Int) -> Void = { _ in }) throws(DatabaseError)
  {
    guard publication.latest.state.unindexedStart != nil else { return }
    do throws(DatabaseError) {
      try checkWritable()
    } catch {
      throw DatabaseError(
        error.code,
        "An import was broken off before its index entries were complete. Open the database once "
          + "for writing, which completes them.", cause: error)
    }
    try commitExclusively { [self] draft in
      guard let start = draft.unindexedStart else { return }
      let gathered = deferred.withLock { deferred in
        defer { deferred = nil }
        return deferred
      }
      var entries = try gathered ?? DeferredEntries(from: start, in: draft, makeSorter())
      try put(&entries, in: draft, progress)
      // Sums that were begun meanwhile lack these entries. They are begun again.
      draft.derived.sums.forget()
      draft.completeEntries()
    }
  }

  private func put(
    _ entries: inout DeferredEntries, in draft: CommitDraft, _ progress: @Sendable (Int) -> Void
  ) throws {
    var count = 0
    let limit = tuning.batchByteCount
    try publication.store.load { write in
      var batch = StoreBatch()
      func writeBatch() throws {
        publication.caches.prepare([], [], batch, at: draft.commitNumber)
        try write(batch)
        progress(count)
        batch.removeAll()
      }
      try entries.forEach { key, value in
        batch.put(key, value)
        count += 1
        if batch.byteCount >= limit { try writeBatch() }
      }
      if !batch.isEmpty { try writeBatch() }
    }
  }

  private func makeSorter() throws -> EntrySorter {
    EntrySorter(try publication.store.makeScratch(), runByteCount: tuning.runByteCount)
  }

  // MARK: Deferring

  /// Whether a commit may defer entries now. Followers of the commits must be told of all entries
  /// at once. History, locks and sums must have them at once, too.
  func mayDeferEntries() -> Bool {
    publication.history == nil && !log.isFollowed && !committer.locks.isInUse
      && !publication.latest.catalog.tunings.keepsSums
  }

  /// Gathers the entries that a commit has deferred.
  func gather(_ draft: CommitDraft) {
    guard let start = draft.unindexedStart else { return }
    deferred.withLock { deferred in
      if draft.view.state.unindexedStart == nil {
        deferred = (try? makeSorter()).map { DeferredEntries(from: start, $0) }
      }
      if let isWhole = deferred?.gather(draft), !isWhole { deferred = nil }
    }
  }
}
