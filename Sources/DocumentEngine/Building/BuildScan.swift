import DocumentModel
import OrderedStore
import QueryPlanning
import StorageFormat

/// One pass over the documents that makes the entries of any number of targets, step by step, while
/// writers go on.
///
/// Writers maintain the targets from the moment that they are in the catalogue. So a chunk can be
/// read, made into entries and sorted in a view of its own, beside the writers. Only putting the
/// entries is a change in the committer, in parts that a writer does not wait for longer than for
/// another group. There it can be told from the log of commits which documents were written since
/// the view: their entries are left out, and behind the last part made anew from what they are now.
///
/// How far it is stands in the batch of each chunk's last part, for every target. What is broken
/// off between two parts has put only entries that are right: writers keep up those too, and the
/// chunk puts them once more when it is read again. Documents are taken in the order of their
/// numbers, so that those which come later are never missed: writers make their entries.
struct BuildScan: Sendable {
  /// What one step did.
  struct Advance: Sendable {
    /// Documents that were looked at.
    var documentCount = 0
    /// The chunk that is done with it, if one is.
    var chunk: FinishedChunk?
  }

  /// A chunk whose entries are all written.
  struct FinishedChunk: Sendable {
    /// One for each target.
    let tallies: [BuildChunk.Tally]
    let start: UInt64
    /// The number that the next chunk begins at; `nil` if the targets are complete.
    let next: UInt64?
  }

  let targets: [BuildTarget]
  /// What they were taken from.
  let catalog: Catalog
  /// The number that the next chunk begins at; `nil` behind the last document.
  private(set) var position: UInt64?
  /// Whether a target that stands where this scan began can still join.
  private(set) var isAtBeginning = true
  /// The documents of the groups, where they are few among those of other groups.
  private let numbers: [UInt64]?
  private var work: ChunkWork?
  /// Pace at which the work was begun.
  private var pace = BuildPace.unlimited

  /// A scan of those of `targets` that stand where the first of them does: the others are for the
  /// next.
  init(
    _ targets: [BuildTarget], of catalog: Catalog, in view: ReadView
  ) throws(DatabaseError) {
    var position: UInt64?
    var members: [BuildTarget] = []
    for target in targets {
      let checkpoint = try view.checkpoint(of: target)
      guard checkpoint == position ?? checkpoint else { continue }
      position = checkpoint
      members.append(target)
    }
    self.targets = members
    self.position = position
    self.catalog = catalog
    let groups = Set(members.filter(\.readsDocuments).map { UTF8Key($0.collectionGroup) })
    numbers = try view.documentNumbers(inGroups: groups.map(\.string))
  }

  /// Reads some documents, or writes some entries.
  ///
  /// - Throws: `invalidArgument` for a document that can't be indexed, with
  ///   ``UnindexableDocument``; what the store reports. The scan is then to be made anew.
  mutating func step(
    _ engine: Engine, _ tuning: BuildTuning, at pace: BuildPace
  ) throws(DatabaseError) -> Advance {
    guard let position else { return Advance() }
    var work: ChunkWork
    if let begun = self.work, self.pace == pace {
      work = begun
    } else {
      // A chunk that was read at another pace can be too large to be written soon at this one.
      work = try ChunkWork(targets, from: position, engine)
      self.pace = pace
    }
    // Not held twice while it changes.
    self.work = nil
    guard work.chunk.isRead else {
      let count = try work.read(among: numbers, tuning)
      self.work = work
      return Advance(documentCount: count)
    }
    isAtBeginning = false
    switch try work.write(engine, tuning) {
    case .part:
      self.work = work
      return Advance()
    case .last: return Advance(chunk: finish(work.chunk))
    case .isBehind:
      let chunk = try ChunkWork.buildInCommitter(targets, from: position, numbers, engine, tuning)
      return Advance(documentCount: chunk.documentCount, chunk: finish(chunk))
    }
  }

  private mutating func finish(_ chunk: BuildChunk) -> FinishedChunk {
    position = chunk.next
    return FinishedChunk(tallies: chunk.tallies, start: chunk.start, next: chunk.next)
  }
}

/// A chunk on its way from the documents to the store.
private struct ChunkWork: Sendable {
  enum Written {
    case part
    case last
    /// Nothing was: the log doesn't tell any more what was changed since the view.
    case isBehind
  }

  private(set) var chunk: BuildChunk
  private let targets: [BuildTarget]
  /// Keeps what is committed from the view on.
  private let follower: CommitLog.Follower
  /// What the documents are read in, up to the last.
  private var reading: (view: ReadView, entries: BuildEntries)?
  private var changes: CommittedChanges
  /// Where the next part begins.
  private var place = 0
  /// Documents whose entries are made anew, where they are too many for the last part.
  private var rest: ArraySlice<UInt64>?

  init(_ targets: [BuildTarget], from start: UInt64, _ engine: Engine) throws(DatabaseError) {
    self.targets = targets
    chunk = BuildChunk(from: start, targetCount: targets.count)
    // Follows before the view is taken, so that what the view lacks is in the log.
    follower = engine.commitLog.follow()
    let view = try engine.readView()
    follower.move(to: view.commitNumber)
    changes = CommittedChanges(engine.commitLog, after: view.commitNumber)
    reading = (view, BuildEntries(targets, in: view))
  }

  /// - Returns: how many documents were looked at.
  mutating func read(
    among numbers: [UInt64]?, _ tuning: BuildTuning
  ) throws(DatabaseError) -> Int {
    guard let view = reading?.view, var entries = reading?.entries else { return 0 }
    reading = nil
    let count = try reportingErrors {
      try chunk.read(tuning.stepDocumentCount, in: view, &entries, among: numbers, tuning.chunk)
    }
    if !chunk.isRead { reading = (view, entries) }
    return count
  }

  /// Writes the next part, or makes the entries of some changed documents.
  mutating func write(_ engine: Engine, _ tuning: BuildTuning) throws(DatabaseError) -> Written {
    if let rest { return try writeChanged(rest, engine, tuning) }
    let part = chunk.part(from: place, ofByteCount: tuning.batchByteCount)
    let changes = try engine.commitExclusively { [chunk, targets, changes] group in
      try ChunkWork.write(part, of: chunk, targets, changes, tuning, &group)
    }
    guard let changes else { return .isBehind }
    self.changes = changes
    place = part.end
    guard part.isLast else { return .part }
    guard changes.numbers.count > tuning.changedDocumentCount else { return .last }
    rest = changes.numbers.sorted()[...]
    return .part
  }

  /// - Returns: `nil`, with nothing written, if the log doesn't tell any more what was changed.
  private static func write(
    _ part: BuildChunk.Part, of chunk: BuildChunk, _ targets: [BuildTarget],
    _ changes: CommittedChanges, _ tuning: BuildTuning, _ group: inout CommitGroup
  ) throws -> CommittedChanges? {
    guard let changes = try changes.adding(documentsOf: chunk) else { return nil }
    group.withBatch { chunk.append(part, without: changes.numbers, to: &$0) }
    guard part.isLast, changes.numbers.count <= tuning.changedDocumentCount else { return changes }
    let view = group.view
    try group.withBatch {
      try chunk.appendChanged(changes.numbers.sorted(), targets, in: view, to: &$0)
    }
    group.end(chunk, of: targets)
    return changes
  }

  /// Makes the entries of the documents that changed while the chunk was read and written, where
  /// they are many. None of them has entries that the chunk wrote, and which are written now
  /// needn't be looked at: writers keep up what is there.
  private mutating func writeChanged(
    _ numbers: ArraySlice<UInt64>, _ engine: Engine, _ tuning: BuildTuning
  ) throws(DatabaseError) -> Written {
    let due = numbers.prefix(tuning.changedDocumentCount)
    let rest = numbers.dropFirst(tuning.changedDocumentCount)
    try engine.commitExclusively { [chunk, targets] group in
      let view = group.view
      try group.withBatch { try chunk.appendChanged(due, targets, in: view, to: &$0) }
      if rest.isEmpty { group.end(chunk, of: targets) }
    }
    self.rest = rest
    return rest.isEmpty ? .last : .part
  }

  /// For when too much is written at once to keep up with: no write comes between reading the
  /// documents and putting their entries.
  static func buildInCommitter(
    _ targets: [BuildTarget], from start: UInt64, _ numbers: [UInt64]?, _ engine: Engine,
    _ tuning: BuildTuning
  ) throws(DatabaseError) -> BuildChunk {
    try engine.commitExclusively { group in
      var chunk = BuildChunk(from: start, targetCount: targets.count)
      var entries = BuildEntries(targets, in: group.view)
      while !chunk.isRead {
        _ = try chunk.read(
          .max, in: group.view, &entries, among: numbers, tuning.chunkInCommitter)
      }
      var place = 0
      var isDone = false
      while !isDone {
        let part = chunk.part(from: place, ofByteCount: .max)
        group.withBatch { chunk.append(part, without: [], to: &$0) }
        place = part.end
        isDone = part.isLast
      }
      group.end(chunk, of: targets)
      return chunk
    }
  }
}

/// The documents that were written since a view was taken, by their numbers.
private struct CommittedChanges: Sendable {
  private let log: CommitLog
  private(set) var numbers: Set<UInt64> = []
  /// The last commit that was looked at.
  private var position: UInt64

  init(_ log: CommitLog, after position: UInt64) {
    self.log = log
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

extension CommitGroup {
  /// Notes that all entries of a chunk are written: behind the last document the targets are
  /// complete.
  fileprivate mutating func end(_ chunk: BuildChunk, of targets: [BuildTarget]) {
    for target in targets {
      if let next = chunk.next { setCheckpoint(of: target, to: next) } else { complete(target) }
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

  /// The numbers of the documents of some groups in order, if these are so few that looking each up
  /// takes less than passing over the others; `nil` otherwise.
  ///
  /// - Complexity: one key per document of the groups, up to a tenth of all documents.
  fileprivate func documentNumbers(
    inGroups collectionGroups: [String]
  ) throws(DatabaseError) -> [UInt64]? {
    try reportingErrors {
      // A look-up takes as long as about ten steps.
      let limit = Int(clamping: nextDocumentNumber / 10)
      var numbers: [UInt64] = []
      for group in collectionGroups where numbers.count <= limit {
        let names = KeyRange.prefix(StorageKey.groupNamePrefix(collectionID: group))
        try snapshot.forEachEntry(in: names) { _, value in
          numbers.append(try EntryValue.read(value).documentNumber)
          return numbers.count <= limit
        }
      }
      return numbers.count <= limit ? numbers.sorted() : nil
    }
  }
}
