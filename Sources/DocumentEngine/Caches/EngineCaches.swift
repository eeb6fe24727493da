import HearthDocumentModel
import HearthOrderedStore
import HearthStorageFormat

/// The caches of an engine, which all its views share.
///
/// Each kept value has the commits for which it is right. A commit's changes are announced before
/// the store is written, so that a view with the changes never finds what they replaced.
final class EngineCaches: Sendable {
  let settings: EngineSettings
  let collections = CollectionNumbers()
  let documents: DocumentCache?
  let names: NameCache?
  let counts: CountCache?
  let scans: ScanCache?
  let emptyRanges: EmptyRanges?

  /// - Parameter commitNumber: the number of the last commit so far.
  init(_ settings: EngineSettings, after commitNumber: UInt64) {
    self.settings = settings
    scans = ScanCache(settings, after: commitNumber)
    emptyRanges = EmptyRanges(settings, after: commitNumber)
    documents = DocumentCache(byteCountLimit: settings.documentCacheByteCount)
    names = NameCache(byteCountLimit: settings.nameCacheByteCount)
    counts = CountCache(byteCountLimit: settings.countCacheByteCount)
  }

  /// Removes everything that the group is about to change. The group is sealed, and the store isn't
  /// written yet.
  ///
  /// - Parameter batch: the whole batch that the store is about to be given.
  func prepare(_ group: CommitDraft, _ batch: StoreBatch) {
    let (changes, commitNumber) = (group.changes, group.state.commitNumber)
    counts?.prepare(group.newCounts, at: commitNumber)
    scans?.prepare(changes, batch, at: commitNumber)
    emptyRanges?.prepare(batch, at: commitNumber)
    if changes.contains(where: { $0.old != nil }) {
      documents?.remove(changes.lazy.compactMap { $0.old?.number }, changedBy: commitNumber)
    }
    for change in changes {
      if change.old == nil, let new = change.new {
        // A document that was just written is often the next to be changed. If the number is never
        // stored, no record confirms the name.
        names?.insert(new.number, of: new.path)
      }
    }
  }

  /// Adds the group's changes, after the store is written.
  func publish(_ group: CommitDraft) {
    scans?.publish(at: group.state.commitNumber)
    counts?.publish(group.newCounts, at: group.state.commitNumber)
  }

  /// Removes everything, for good.
  func close() {
    scans?.close()
    documents?.close()
    names?.close()
    counts?.close()
  }
}
