import HearthDocumentEngine
import HearthDocumentModel
import HearthOrderedStore
import HearthQueryPlanning
import HearthReports
import HearthStorageFormat

/// A pass over the documents that makes the entries of any number of targets. It works step by
/// step, while writers continue.
///
/// Writers maintain the targets as soon as these are in the catalogue. So a chunk is read, made
/// into entries and sorted in a view of its own, beside the writers. Only the puts of the entries
/// go through the committer. They go in parts, so that a writer waits for a part no longer than for
/// another group. In the committer, the log of commits tells which documents were written after the
/// view was taken. Their entries are left out. After the last part they are made again from the
/// present documents.
///
/// The batch of each chunk's last part holds the progress of every target. A scan that stops
/// between two parts has put only entries that are right: writers maintain those too, and the chunk
/// puts them again when it is read again. Documents are read in the order of their numbers, so
/// later documents are never missed: writers make their entries.
struct BuildScan: Sendable {
  /// The outcome of one step.
  struct Advance: Sendable {
    /// The number of documents looked at.
    var documentCount = 0
    /// The chunk that the step finished; `nil` if it finished none.
    var chunk: FinishedChunk?
  }

  /// A chunk whose entries are all written.
  struct FinishedChunk: Sendable {
    /// The tallies, one for each target.
    let tallies: [BuildChunk.Tally]
    let start: UInt64
    /// The number that the next chunk begins at; `nil` if the targets are complete.
    let next: UInt64?
  }

  let targets: [BuildTarget]
  /// The catalogue that the targets were taken from.
  let catalog: Catalog
  /// The number that the next chunk begins at; `nil` after the last document.
  private(set) var position: UInt64?
  /// Whether a target at the position where this scan began can still join.
  private(set) var isAtBeginning = true
  /// The numbers of the groups' documents, if these are few among all documents; otherwise `nil`.
  private let numbers: [UInt64]?
  private var work: ChunkWork?
  /// The pace at which the work was begun.
  private var pace = BuildPace.unlimited

  /// Creates a scan of the first of `targets` and of all others at the same position. The rest are
  /// left for the next scan.
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
  ///   ``UnindexableDocument``; errors of the store. The caller must then make a new scan.
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
    // Avoids a second reference while it changes.
    self.work = nil
    guard work.chunk.isRead else {
      let count = try work.read(
        among: numbers, tuning, start: pace == .unlimited ? engine.settings.startWork : nil)
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

/// A chunk that is being read or written.
private struct ChunkWork: Sendable {
  enum Written {
    case part
    case last
    /// Nothing was written, since the log no longer has all commits after the view.
    case isBehind
  }

  private(set) var chunk: BuildChunk
  private let targets: [BuildTarget]
  /// Keeps the commits after the view in the log.
  private let follower: CommitLog.Follower
  /// The view and the makers of entries that documents are read with, one for this thread and one
  /// for another; `nil` once all are read.
  private var reading: (view: ReadView, entries: BuildEntries, side: BuildEntries)?
  private var changes: CommittedChanges
  /// The position at which the next part begins.
  private var place = 0
  /// The changed documents whose entries are still to be made, if they are too many for the last
  /// part.
  private var rest: ArraySlice<UInt64>?

  init(_ targets: [BuildTarget], from start: UInt64, _ engine: Engine) throws(DatabaseError) {
    self.targets = targets
    chunk = BuildChunk(from: start, targetCount: targets.count)
    // The log is followed before the view is taken, so that the log has every commit that the view
    // lacks.
    follower = engine.commitLog.follow()
    let view = try engine.readView()
    follower.move(to: view.commitNumber)
    changes = CommittedChanges(engine.commitLog, after: view.commitNumber)
    let entries = BuildEntries(targets, in: view)
    reading = (view, entries, entries)
  }

  /// - Parameter start: starts work on another thread, some time or never; `nil` for no such work.
  /// - Returns: the number of documents looked at.
  mutating func read(
    among numbers: [UInt64]?, _ tuning: BuildTuning,
    start: (@Sendable (@escaping @Sendable () -> Void) -> Void)?
  ) throws(DatabaseError) -> Int {
    guard let (view, readEntries, readSide) = reading else { return 0 }
    var (entries, side) = (readEntries, readSide)
    reading = nil
    let limit = tuning.stepDocumentCount
    let count = try reportingErrors {
      if let start, numbers == nil,
        let count = try chunk.readBoth(limit, in: view, &entries, &side, tuning.chunk, start: start)
      {
        return count
      }
      return try chunk.read(limit, in: view, &entries, among: numbers, tuning.chunk)
    }
    if chunk.isRead {
      try reportingErrors { try chunk.sort(start: start) }
    } else {
      reading = (view, entries, side)
    }
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
    follower.move(to: changes.position)
    place = part.end
    guard part.isLast else { return .part }
    guard changes.numbers.count > tuning.changedDocumentCount else { return .last }
    rest = changes.numbers.sorted()[...]
    return .part
  }

  /// - Returns: the changes up to now; `nil`, with nothing written, if the log no longer has all of
  ///   them.
  private static func write(
    _ part: BuildChunk.Part, of chunk: BuildChunk, _ targets: [BuildTarget],
    _ changes: CommittedChanges, _ tuning: BuildTuning, _ group: inout CommitDraft
  ) throws -> CommittedChanges? {
    guard var changes = try changes.adding(documentsOf: chunk) else { return nil }
    group.withBatch { chunk.append(part, without: changes.numbers, to: &$0) }
    changes.pass(group)
    guard part.isLast, changes.numbers.count <= tuning.changedDocumentCount else { return changes }
    let view = group.view
    try group.withBatch {
      try chunk.appendChanged(changes.numbers.sorted(), targets, in: view, to: &$0)
    }
    group.end(chunk, of: targets)
    return changes
  }

  /// Makes the entries of the documents that changed while the chunk was read and written, if they
  /// are many. The chunk wrote no entries of these documents. Documents that are written from now
  /// on needn't be looked at, since writers maintain existing entries.
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

  /// Reads a small chunk and writes it within the committer, for a time when writers are too fast
  /// for the log. No write comes between reading the documents and putting their entries.
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
      try chunk.sort(start: nil)
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

/// The numbers of the documents that were written after a view was taken.
private struct CommittedChanges: Sendable {
  private let log: CommitLog
  private(set) var numbers: Set<UInt64> = []
  /// The number of the last commit that was looked at.
  private(set) var position: UInt64

  init(_ log: CommitLog, after position: UInt64) {
    self.log = log
    self.position = position
  }

  /// Returns the changes with the documents of `chunk` that were written up to now; `nil` if the
  /// log doesn't reach back far enough.
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

  /// Passes over the commit of `group`, which writes no documents. No other commit comes before it.
  mutating func pass(_ group: CommitDraft) {
    // A commit that changes nothing leaves its number to the next one.
    if !group.batch.isEmpty { position = group.commitNumber }
  }
}

extension CommitDraft {
  /// Records that all entries of a chunk are written. After the last document the targets are
  /// complete.
  fileprivate mutating func end(_ chunk: BuildChunk, of targets: [BuildTarget]) {
    for target in targets {
      if let next = chunk.next { setCheckpoint(of: target, to: next) } else { complete(target) }
    }
  }
}

extension ReadView {
  /// Returns the number of documents in a collection group.
  ///
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

  /// Returns the numbers of the documents of some groups in order, if looking up each takes less
  /// time than passing over all other documents; `nil` otherwise.
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

extension BuildTuning {
  fileprivate var chunk: BuildChunk.Extent {
    BuildChunk.Extent(documentCount: chunkDocumentCount, byteCount: chunkByteCount)
  }

  /// The extent of a chunk that is read inside the committer, which waits for all of it.
  fileprivate var chunkInCommitter: BuildChunk.Extent {
    BuildChunk.Extent(documentCount: min(chunkDocumentCount, 500), byteCount: 1 << 20)
  }
}
