package import HearthDocumentEngine
package import HearthDocumentModel
import HearthOrderedStore
import HearthQueryPlanning
import HearthStorageFormat

/// Deletes the documents whose time is past, some in each step. Goes through one collection group
/// after another, the oldest documents first.
///
/// A step is one commit beside the commits of other writers. So writers wait for it no longer than
/// for each other, and listeners see its deletes. The commit checks each document again: one that
/// was given another time meanwhile stays. The steps are not one transaction, and documents below a
/// deleted one stay (§3.9).
package struct TimeToLiveSweep: Sendable {
  /// The results of a step.
  package struct Advance: Sendable {
    /// Documents that were deleted.
    package var documentCount = 0
    /// The error of a document that the index names but that can't be read. It stays, and the sweep
    /// goes on.
    package var error: DatabaseError?
    /// Whether the sweep has come to its end and left no document that was due. The next step
    /// begins again.
    package var isDone = false
  }

  /// The number of deletions from which on the range of an index is compacted, so that the next
  /// sweep doesn't cross their tombstones.
  private static let compactedDeletionCount = 10_000

  private let engine: Engine
  /// The most documents that one commit deletes.
  private let documentCountLimit: Int
  /// The position of the sweep: the next step goes on after this key of the index with this id.
  private var position: (id: UInt64, key: [UInt8])?
  /// The deletions in that index so far.
  private var deletionCount = 0

  package init(_ engine: Engine, documentCountLimit: Int = 100) {
    self.engine = engine
    self.documentCountLimit = max(documentCountLimit, 1)
  }

  /// Deletes some documents whose time is past at `now`.
  ///
  /// - Complexity: an index entry and two point reads for each document, and a commit.
  /// - Throws: errors of the store. The next step goes on after the position that this one reached.
  package mutating func step(at now: Timestamp) throws(DatabaseError) -> Advance {
    try engine.checkWritable()
    let policies = engine.latest.catalog.timesToLive.sorted { $0.index.id < $1.index.id }
    let start = position?.id ?? 0
    for policy in policies where policy.index.id >= start && policy.state == .ready {
      let found = try candidates(of: policy, at: now)
      position = found.lastKey.map { (policy.index.id, $0) } ?? (policy.index.id + 1, [])
      let count = try delete(found.paths, policy, now)
      deletionCount += count
      if found.lastKey == nil { try leave(policy) }
      if found.lastKey != nil || count > 0 || found.error != nil {
        return Advance(documentCount: count, error: found.error)
      }
    }
    position = nil
    return Advance(isDone: true)
  }

  /// Deletes some documents whose time is past by the database's clock.
  package mutating func step() throws(DatabaseError) -> Advance {
    try step(at: engine.clock.now())
  }

  /// Documents that are due according to an index.
  private struct Candidates {
    var paths: [ResourcePath] = []
    /// The key of the last entry; `nil` if there are no more.
    var lastKey: [UInt8]?
    /// The error of a document or entry that can't be read.
    var error: DatabaseError?
  }

  private func candidates(
    of policy: TimeToLive, at now: Timestamp
  ) throws(DatabaseError) -> Candidates {
    guard let bound = policy.bound(at: now) else { return Candidates() }
    let view = try engine.readView()
    return try reportingErrors {
      var range = policy.keys(before: bound, own: view.databaseID)
      if let position, position.id == policy.index.id, !position.key.isEmpty {
        range.lower = position.key + [0]
      }
      var found = Candidates()
      var numbers: [UInt64] = []
      var entryCount = 0
      try view.snapshot.forEachEntry(in: range) { key, value in
        do {
          numbers.append(try EntryValue.documentNumber(value))
        } catch {
          found.error = DatabaseError(reporting: error)
        }
        entryCount += 1
        guard entryCount == documentCountLimit else { return true }
        found.lastKey = [UInt8](copying: key)
        return false
      }
      let fetcher = DocumentFetcher(view)
      for number in numbers {
        do {
          let document = try fetcher.document(number).document()
          if policy.isDue(document, at: now) { found.paths.append(document.path) }
        } catch {
          let error = DatabaseError(reporting: error)
          guard error.code == .dataLoss else { throw error }
          found.error = error
        }
      }
      return found
    }
  }

  /// Deletes those of `paths` that are still due in the commit.
  private func delete(
    _ paths: [ResourcePath], _ policy: TimeToLive, _ now: Timestamp
  ) throws(DatabaseError) -> Int {
    guard !paths.isEmpty else { return 0 }
    let deletedCount = Lock(0)
    try engine.commitInBackground(paths.map { .delete($0) }) { group in
      // The time to live was removed, or given another offset, since the sweep read the entries.
      guard group.catalog.timesToLive.contains(policy) else { return }
      let due = try paths.filter { path in
        guard let stored = try group.view.document(at: path) else { return false }
        return policy.isDue(try stored.document(), at: now)
      }
      _ = try WriteStaging.stage(due.map { .delete($0) }, in: &group)
      deletedCount.withLock { $0 = due.count }
    }
    return deletedCount.withLock { $0 }
  }

  /// Compacts the range of an index at whose end the sweep has arrived, if it deleted many
  /// documents.
  private mutating func leave(_ policy: TimeToLive) throws(DatabaseError) {
    defer { deletionCount = 0 }
    guard deletionCount >= TimeToLiveSweep.compactedDeletionCount else { return }
    let entries = KeyRange.prefix(StorageKey.compositePrefix(id: policy.index.id))
    try engine.compact(entries)
  }
}

extension TimeToLive {
  /// Returns the range of the entries with a time before `bound`.
  fileprivate func keys(before bound: Timestamp, own: DatabaseID) -> KeyRange {
    let prefix = StorageKey.compositePrefix(id: index.id)
    var upper = prefix
    ValueEncoder(own: own).append(.timestamp(bound), .ascending, to: &upper)
    let times = OrderedValue.bounds(of: .timestamp, .ascending)
    return KeyRange(lower: prefix + times.lower, upper: upper)
  }
}
