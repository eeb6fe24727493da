import DocumentModel
import OrderedStore
import StorageFormat

/// What an engine remembers of its store, for all views to share.
///
/// Whatever is kept says for which commits it is right. A commit's changes are announced before the
/// store takes it, so that a view that has them never meets what they replaced.
final class EngineCaches: Sendable {
  let settings: Engine.Settings
  let collections = CollectionNumbers()
  let documents: DocumentCache?
  let names: NameCache?
  let counts: CountCache?
  let scans: ScanCache?
  let emptyRanges: EmptyRanges?

  /// - Parameter commitNumber: that of the last commit so far.
  init(_ settings: Engine.Settings, after commitNumber: UInt64) {
    self.settings = settings
    scans = ScanCache(settings, after: commitNumber)
    emptyRanges = EmptyRanges(settings, after: commitNumber)
    documents = DocumentCache(byteCountLimit: settings.documentCacheByteCount)
    names = NameCache(byteCountLimit: settings.nameCacheByteCount)
    counts = CountCache(byteCountLimit: settings.countCacheByteCount)
  }

  /// Gives up what the group, which is sealed, is about to change; the store has not seen it yet.
  ///
  /// - Parameter batch: all that the store is about to be given.
  func prepare(_ group: CommitGroup, _ batch: StoreBatch) {
    let (changes, commitNumber) = (group.changes, group.state.commitNumber)
    counts?.prepare(group.newCounts, at: commitNumber)
    scans?.prepare(changes, batch, at: commitNumber)
    emptyRanges?.prepare(batch, at: commitNumber)
    for change in changes {
      if let old = change.old {
        documents?.remove(old.number, changedBy: commitNumber)
      } else if let new = change.new {
        // What was just written is what is changed next. Of a number that comes to nothing, no
        // record confirms the name.
        names?.insert(new.number, of: new.path)
      }
    }
  }

  /// Takes over what the group has changed: the store has taken it.
  func publish(_ group: CommitGroup) {
    scans?.publish(at: group.state.commitNumber)
    counts?.publish(group.newCounts, at: group.state.commitNumber)
  }

  /// Gives up everything, for good.
  func close() {
    scans?.close()
    documents?.close()
    names?.close()
    counts?.close()
  }
}
