import DocumentModel
import OrderedStore
import QueryPlanning
import StorageFormat

/// How far a build is.
package struct BuildProgress: Sendable, Equatable {
  package let documentsDone: Int
  package let documentsTotal: Int
}

/// Brings the entries of existing documents in line with a change of the catalogue, chunk by chunk,
/// while writers go on.
///
/// Writers maintain the index from the moment that it is in the catalogue. So a chunk can be read,
/// made into entries and sorted in a view of its own, beside the writers. Only putting the entries
/// is a change in the committer, in parts that a writer does not wait for longer than for another
/// group. There it can be told from the log of commits which documents were written since the view:
/// their entries are left out, and behind the last part made anew from what they are now.
///
/// How far a build is stands in the batch of each chunk's last part, and one that is broken off
/// goes on from there. Documents are taken in the order of their numbers, so that those which come
/// later are never missed: writers make their entries.
package struct IndexBuilder {
  /// How much is read, sorted and written at once.
  package struct Tuning: Sendable {
    /// How many documents are read, and their entries sorted, at once.
    package var chunkDocumentCount = 100_000
    /// The bytes of entries at which a chunk ends before.
    package var chunkByteCount = 16 << 20
    /// The bytes of one batch: what a waiting writer has to sit through.
    package var batchByteCount = 256 << 10
    /// How many documents that were written meanwhile are made into entries in one batch.
    package var changedDocumentCount = 500

    var chunk: BuildChunk.Extent {
      BuildChunk.Extent(documentCount: chunkDocumentCount, byteCount: chunkByteCount)
    }

    /// What is read where the committer has to wait for all of it.
    var chunkInCommitter: BuildChunk.Extent {
      BuildChunk.Extent(documentCount: min(chunkDocumentCount, 500), byteCount: 1 << 20)
    }
  }

  enum Target: Sendable {
    case composite(CompositeIndex)
    /// Builds the spaces that an override adds and empties those that it gives up.
    case override(FieldOverride, building: AutomaticSpaces, retiring: AutomaticSpaces)

    var collectionGroup: String {
      switch self {
      case .composite(let index): index.definition.collectionGroup
      case .override(let override, _, _): override.collectionGroup
      }
    }
  }

  let engine: Engine
  let target: Target
  private var tuning: Tuning { engine.caches.settings.build }

  /// Runs to the end of the documents.
  ///
  /// - Parameters:
  ///   - isFollowed: whether somebody is told how far it is; only then are the documents counted.
  ///   - progress: is told after each chunk.
  /// - Throws: what a document that can't be indexed throws, with its name in the message.
  func run(
    isFollowed: Bool = true, _ progress: (BuildProgress) -> Void
  ) throws(DatabaseError) {
    let view = try engine.readView()
    let isTold = isFollowed || engine.observer != nil
    let total = isTold ? try view.countDocuments(inGroup: target.collectionGroup) : 0
    var position: UInt64? = try view.checkpoint(of: target)
    let numbers = try view.documentNumbers(inGroup: target.collectionGroup)
    var done = 0
    while let start = position {
      let chunk = try build(from: start, among: numbers)
      position = chunk.next
      guard isTold else { continue }
      done += chunk.documentCount
      let state = BuildProgress(documentsDone: min(done, total), documentsTotal: total)
      progress(state)
      engine.observer?.observe(
        .indexBuildProgressed(
          collectionGroup: target.collectionGroup, documentCount: chunk.documentCount, state))
    }
  }

  /// - Parameter numbers: those of the group, where they are few among those of other groups.
  private func build(
    from start: UInt64, among numbers: [UInt64]?
  ) throws(DatabaseError) -> BuildChunk {
    // Follows before the view is taken, so that what the view lacks is in the log.
    let follower = engine.commitLog.follow()
    let view = try engine.readView()
    var position = view.commitNumber
    follower.move(to: position)
    let chunk = try reportingErrors {
      try BuildChunk.read(target, in: view, from: start, among: numbers, tuning.chunk)
    }
    var changed: Set<UInt64> = []
    for part in chunk.parts(ofByteCount: tuning.batchByteCount) {
      let outcome = try engine.commitExclusively {
        [target, tuning, log = engine.commitLog, changed, position] group in
        try IndexBuilder.write(
          part, of: chunk, target, CommittedChanges(log, changed, after: position), tuning,
          &group)
      }
      guard let outcome else { return try buildInCommitter(from: start, among: numbers) }
      (changed, position) = (outcome.numbers, outcome.position)
    }
    if changed.count > tuning.changedDocumentCount {
      try writeChanged(changed.sorted()[...], of: chunk)
    }
    withExtendedLifetime(follower) {}
    return chunk
  }

  /// - Returns: `nil`, with nothing written, if the log doesn't tell any more what was changed.
  private static func write(
    _ part: BuildChunk.Part, of chunk: BuildChunk, _ target: Target, _ changes: CommittedChanges,
    _ tuning: Tuning, _ group: inout CommitGroup
  ) throws -> CommittedChanges? {
    guard let changes = try changes.adding(documentsOf: chunk) else { return nil }
    group.withBatch { chunk.append(part, without: changes.numbers, to: &$0) }
    guard part.isLast, changes.numbers.count <= tuning.changedDocumentCount else { return changes }
    let view = group.view
    try group.withBatch { try chunk.appendChanged(changes.numbers, target, in: view, to: &$0) }
    group.setCheckpoint(of: target, to: chunk.next)
    return changes
  }

  /// Makes the entries of the documents that changed while the chunk was read and written, where
  /// they are many. None of them has entries that the chunk wrote, and which are written now
  /// needn't be looked at: writers keep up what is there.
  private func writeChanged(
    _ changed: ArraySlice<UInt64>, of chunk: BuildChunk
  ) throws(DatabaseError) {
    var rest = changed
    while !rest.isEmpty {
      let numbers = Set(rest.prefix(tuning.changedDocumentCount))
      rest = rest.dropFirst(tuning.changedDocumentCount)
      try commitExclusively(numbers, of: chunk, isLast: rest.isEmpty)
    }
  }

  private func commitExclusively(
    _ changed: Set<UInt64>, of chunk: BuildChunk, isLast: Bool
  ) throws(DatabaseError) {
    try engine.commitExclusively { [target] group in
      let view = group.view
      try group.withBatch { try chunk.appendChanged(changed, target, in: view, to: &$0) }
      if isLast { group.setCheckpoint(of: target, to: chunk.next) }
    }
  }

  /// For when too much is written at once to keep up with: no write comes between reading the
  /// documents and putting their entries.
  private func buildInCommitter(
    from start: UInt64, among numbers: [UInt64]?
  ) throws(DatabaseError) -> BuildChunk {
    try engine.commitExclusively { [target, tuning] group in
      let chunk = try BuildChunk.read(
        target, in: group.view, from: start, among: numbers, tuning.chunkInCommitter)
      for part in chunk.parts(ofByteCount: .max) {
        group.withBatch { chunk.append(part, without: [], to: &$0) }
      }
      group.setCheckpoint(of: target, to: chunk.next)
      return chunk
    }
  }
}

/// The documents that were written since a view was taken, by their numbers.
private struct CommittedChanges: Sendable {
  let log: CommitLog
  var numbers: Set<UInt64>
  /// The last commit that was looked at.
  var position: UInt64

  init(_ log: CommitLog, _ numbers: Set<UInt64>, after position: UInt64) {
    self.log = log
    self.numbers = numbers
    self.position = position
  }

  /// With what was written up to now of the documents that `chunk` is of; `nil` if the log doesn't
  /// reach back far enough.
  func adding(documentsOf chunk: BuildChunk) throws -> CommittedChanges? {
    guard let commits = log.commits(after: position) else { return nil }
    var changes = self
    for commit in commits {
      try commit.batch.forEachKey { key in
        guard StorageKey.isDocument(key) else { return }
        let number = try StorageKey.documentNumber(of: key)
        if chunk.spans(number) { changes.numbers.insert(number) }
      }
      changes.position = commit.number
    }
    return changes
  }
}

// MARK: - Checkpoints

extension ReadView {
  /// The number of the document that the build goes on from. Earlier releases kept a name, in whose
  /// order they built: such a build begins again, and puts what is there once more.
  fileprivate func checkpoint(of target: IndexBuilder.Target) throws(DatabaseError) -> UInt64 {
    try reportingErrors {
      guard let key = try snapshot.value(of: target.checkpointKey),
        StorageKey.isDocument(key.span.bytes)
      else { return 0 }
      return try StorageKey.documentNumber(of: key.span.bytes)
    }
  }
}

extension CommitGroup {
  fileprivate mutating func setCheckpoint(of target: IndexBuilder.Target, to next: UInt64?) {
    if let next {
      put(target.checkpointKey, StorageKey.document(next))
    } else {
      delete(target.checkpointKey)
    }
  }
}

extension IndexBuilder.Target {
  /// Where the build keeps the key of the next document.
  var checkpointKey: [UInt8] {
    switch self {
    case .composite(let index): StorageKey.checkpoint(compositeID: index.id)
    case .override(let override, _, _):
      StorageKey.checkpoint(overrideOf: override.collectionGroup, field: override.field)
    }
  }
}

extension ReadView {
  /// - Complexity: one key per document of the group.
  func countDocuments(inGroup collectionGroup: String) throws(DatabaseError) -> Int {
    try reportingErrors {
      let names = KeyRange.prefix(StorageKey.groupNamePrefix(collectionID: collectionGroup))
      var count = 0
      try snapshot.forEachEntry(in: names) { _, _ in
        count += 1
        return true
      }
      return count
    }
  }

  /// The numbers of the group's documents in order, if these are so few that looking each up takes
  /// less than passing over the others; `nil` otherwise.
  ///
  /// - Complexity: one key per document of the group, up to a tenth of all documents.
  fileprivate func documentNumbers(
    inGroup collectionGroup: String
  ) throws(DatabaseError) -> [UInt64]? {
    try reportingErrors {
      // A look-up takes as long as about ten steps.
      let limit = Int(clamping: nextDocumentNumber / 10)
      let names = KeyRange.prefix(StorageKey.groupNamePrefix(collectionID: collectionGroup))
      var numbers: [UInt64] = []
      try snapshot.forEachEntry(in: names) { _, value in
        numbers.append(try EntryValue.read(value).documentNumber)
        return numbers.count <= limit
      }
      return numbers.count <= limit ? numbers.sorted() : nil
    }
  }
}
