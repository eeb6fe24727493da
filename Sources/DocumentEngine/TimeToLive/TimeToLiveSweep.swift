package import DocumentModel
import OrderedStore
import QueryPlanning
import StorageFormat

/// Deletes the documents whose time is past, of one collection group after another, of each the
/// oldest first, some in each step.
///
/// A step is one commit beside everybody else's, so that writers wait for it no longer than for
/// each other, and listeners see what goes. In the commit each document is looked at again: one
/// that was given another time meanwhile stays. Steps are no transaction together, and what lies
/// below a document stays (§3.9).
package struct TimeToLiveSweep: Sendable {
  /// What a step did.
  package struct Advance: Sendable {
    /// Documents that were deleted.
    package var documentCount = 0
    /// Why one of those that the index names can't be read: it stays, and the rest goes on.
    package var error: DatabaseError?
    /// Whether nothing was left that was due when the sweep came by. The next step begins again.
    package var isDone = false
  }

  /// From how many deletions on the range of an index is compacted, so that the next sweep doesn't
  /// cross what they leave.
  private static let compactedDeletionCount = 10_000

  private let engine: Engine
  /// The documents that a commit deletes at most.
  private let documentCountLimit: Int
  /// Where the next step goes on: behind this key of the index with this id.
  private var position: (id: UInt64, key: [UInt8])?
  /// The deletions so far in that index.
  private var deletionCount = 0

  package init(_ engine: Engine, documentCountLimit: Int = 100) {
    self.engine = engine
    self.documentCountLimit = max(documentCountLimit, 1)
  }

  /// Deletes some documents whose time is past at `now`.
  ///
  /// - Complexity: an index entry and two point reads per document, and a commit.
  /// - Throws: what the store reports. The next step goes on behind what this one came to.
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

  /// The same, by the database's clock.
  package mutating func step() throws(DatabaseError) -> Advance {
    try step(at: engine.clock.now())
  }

  /// Documents that are due by an index.
  private struct Candidates {
    var paths: [ResourcePath] = []
    /// The last entry's, if there may be more.
    var lastKey: [UInt8]?
    /// Why one can't be read.
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
      let fetcher = DocumentFetcher(view, nil)
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

  /// Deletes those of `paths` that are due in the commit.
  private func delete(
    _ paths: [ResourcePath], _ policy: TimeToLive, _ now: Timestamp
  ) throws(DatabaseError) -> Int {
    guard !paths.isEmpty else { return 0 }
    let deletedCount = Lock(0)
    let request = CommitRequest(
      writing: paths.map { .delete($0) }, submittedAt: engine.submissionTime()
    ) { group in
      // Removed, or given another offset, since the sweep came by.
      guard group.catalog.timesToLive.contains(policy) else { return [] }
      let due = try paths.filter { path in
        guard let located = try StoredDocuments(group.view).located(path) else { return false }
        return policy.isDue(try located.record.document(), at: now)
      }
      _ = try WriteStaging.stage(due.map { .delete($0) }, in: &group)
      deletedCount.withLock { $0 = due.count }
      return []
    }
    _ = try engine.submit(request, isBackground: true)
    return deletedCount.withLock { $0 }
  }

  /// The sweep has come to the end of an index.
  private mutating func leave(_ policy: TimeToLive) throws(DatabaseError) {
    defer { deletionCount = 0 }
    guard deletionCount >= TimeToLiveSweep.compactedDeletionCount else { return }
    let entries = KeyRange.prefix(StorageKey.compositePrefix(id: policy.index.id))
    try engine.compact(entries)
  }
}

extension TimeToLive {
  /// The entries with a time before `bound`.
  fileprivate func keys(before bound: Timestamp, own: DatabaseID) -> KeyRange {
    let prefix = StorageKey.compositePrefix(id: index.id)
    var upper = prefix
    ValueEncoder(own: own).append(.timestamp(bound), .ascending, to: &upper)
    let times = OrderedValue.bounds(of: .timestamp, .ascending)
    return KeyRange(lower: prefix + times.lower, upper: upper)
  }
}
