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
  let results: ResultCache?
  let emptyRanges: EmptyRanges?

  /// - Parameter commitNumber: the number of the last commit so far.
  init(_ settings: EngineSettings, after commitNumber: UInt64) {
    self.settings = settings
    scans = ScanCache(settings, after: commitNumber)
    results = ResultCache(byteCountLimit: settings.resultCacheByteCount)
    emptyRanges = EmptyRanges(settings, after: commitNumber)
    documents = DocumentCache(byteCountLimit: settings.documentCacheByteCount)
    names = NameCache(byteCountLimit: settings.nameCacheByteCount)
    counts = CountCache(byteCountLimit: settings.countCacheByteCount)
  }

  /// Removes everything that a commit is about to change. The store isn't written yet.
  ///
  /// - Parameters:
  ///   - newCounts: the kept counts that change, with their new values.
  ///   - batch: the whole batch that the store is about to be given.
  func prepare(
    _ changes: [DocumentChange], _ newCounts: [(key: [UInt8], count: Int)], _ batch: StoreBatch,
    at commitNumber: UInt64
  ) {
    counts?.prepare(newCounts, at: commitNumber)
    scans?.prepare(changes, batch, at: commitNumber)
    emptyRanges?.prepare(batch, at: commitNumber)
    if changes.contains(where: { $0.old != nil }) {
      documents?.remove(changes.lazy.compactMap { $0.old?.number }, changedBy: commitNumber)
    }
  }

  /// Remembers the names of new documents: one that was just written is often the next to be
  /// changed. If its number is never stored, no record confirms the name.
  func noteNames(of changes: [DocumentChange]) {
    guard let names else { return }
    for change in changes {
      if let number = change.createdNumber { names.insert(number, of: change.path) }
    }
  }

  /// Adds the changes of a commit, after the store is written.
  func publish(_ newCounts: [(key: [UInt8], count: Int)], at commitNumber: UInt64) {
    scans?.publish(at: commitNumber)
    counts?.publish(newCounts, at: commitNumber)
  }

  /// Removes everything, for good.
  func close() {
    scans?.close()
    results?.close()
    documents?.close()
    names?.close()
    counts?.close()
  }
}
