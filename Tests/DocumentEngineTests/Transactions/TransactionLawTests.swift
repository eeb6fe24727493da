import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import Glibc
import HearthOrderedStore
import HearthQueryPlanning
import HearthReports
import TestSupport
import Testing

/// Transactions of eight threads at once, some with locks and some without, have the result of some
/// order in which they run one after another.
@Suite struct TransactionLawTests {
  private static let threadCount = 8
  private static let transactionsPerDatabase = 1_000

  @Test func everyHistoryIsSerialisable() throws {
    let count = GeneratedCases.count(unlessTold: 5_000)
    let seed = GeneratedCases.seed(count: count)
    var mix = TransactionMix()
    for number in 0..<GeneratedCases.count(per: Self.transactionsPerDatabase, of: count) {
      let left = count - number * Self.transactionsPerDatabase
      let seed = seed &+ UInt64(number)
      do {
        try round(seed, count: min(left, Self.transactionsPerDatabase), &mix)
      } catch {
        Issue.record(
          "HEARTH_SEED=\(seed) HEARTH_CASES=\(Self.transactionsPerDatabase): \(error)")
        return
      }
    }
    mix.check()
  }

  private func round(_ seed: UInt64, count: Int, _ mix: inout TransactionMix) throws {
    var database = try LawDatabase(
      seed: seed, over: ObservedStore(MemoryStore(), observer: SlowWrites()))
    var reads: [GeneratedRead] = []
    while reads.count < 40 {
      if let read = try database.read() { reads.append(read) }
    }
    let before = try database.storedDocuments()
    let sessions = Lock<[TransactionSession]>([])
    let (engine, pool) = (database.engine, reads)
    let share = (count + Self.threadCount - 1) / Self.threadCount
    try onThreads(Self.threadCount) { thread in
      var session = TransactionSession(
        engine, pool, seed: seed &* 1_000_003 &+ UInt64(thread))
      for _ in 0..<share { try session.step() }
      let ended = session
      sessions.withLock { $0.append(ended) }
    }
    let ended = sessions.withLock { $0 }
    var replay = HistoryReplay(from: before)
    try replay.run(ended.flatMap(\.events))
    for session in ended { mix.add(session) }
    mix.groupedCount += replay.groupedCount
    let view = try engine.readView()
    for (path, document) in replay.documents {
      guard try view.document(at: path)?.updateTime == document.updateTime else {
        throw LawBroken("\(path) was left in another version than the history has.")
      }
    }
    let report = try engine.verify()
    guard report.isClean, report.documentCount == replay.documents.count else {
      throw LawBroken("\(report.documentCount) documents, \(report.problems)")
    }
  }
}

/// An observer that lets the other threads run while a group is written, so that the next one has
/// many requests.
private final class SlowWrites: StoreObserver {
  func willPerform(_ operation: StoreOperation) {}
  func didRead(byteCount: Int) {}
  func willWrite(_ batch: StoreBatch, to store: any OrderedStore) {
    for _ in 0..<10 { sched_yield() }
  }
}

/// The steps of one thread, and their results.
private struct TransactionSession: Sendable {
  private let engine: Engine
  private let pool: [GeneratedRead]
  private let generator = QueryGenerator()
  private var random: SplitMix64

  private(set) var events: [HistoryEvent] = []
  private(set) var abortCount = 0
  /// Transactions with locks, and those of them that were the youngest in a circle.
  private(set) var lockedCount = 0
  private(set) var circleCount = 0
  private(set) var refusalCount = 0
  private(set) var skipCount = 0

  init(_ engine: Engine, _ pool: [GeneratedRead], seed: UInt64) {
    self.engine = engine
    self.pool = pool
    random = SplitMix64(seed: seed)
  }

  /// Runs one transaction, and sometimes a plain commit before it.
  mutating func step() throws {
    if random.oneIn(5) { try attempt { try $0.commit() } }
    if random.oneIn(2) {
      try attempt { try $0.transact() }
    } else {
      try attempt { try $0.transactWithLocks() }
    }
  }

  private mutating func attempt(_ body: (inout TransactionSession) throws -> Void) throws {
    do {
      try body(&self)
    } catch let error as DatabaseError where error.code == .invalidArgument {
      // Several long values make an entry too large, which is refused and changes nothing.
      refusalCount += 1
    }
  }

  private mutating func commit() throws {
    var writes: [Write] = []
    for _ in 0..<random.pick([1, 1, 2, 3]) {
      writes.append(write(to: generator.path(using: &random), using: random.next()))
    }
    let time = try engine.commit(writes).commitTime
    events.append(HistoryEvent(reads: [], writes: writes, time: time, isReadOnly: false))
  }

  private mutating func transact() throws {
    let scope = try engine.beginTransaction()
    let reads = try reads { read throws(DatabaseError) in
      try read.answerUnlessUndefined(in: scope.readView())
    }
    let writes = writes(after: reads.map(\.answer))
    for write in writes { try scope.append(write) }
    try end(reads, writes, abortCount: \.abortCount) { () throws(DatabaseError) in
      try scope.commit()
    }
  }

  private mutating func transactWithLocks() throws {
    let scope = try engine.beginLockingTransaction()
    defer { scope.rollback() }
    let reads = try reads { read throws(DatabaseError) in
      try scope.read { view throws(DatabaseError) in try read.answerUnlessUndefined(in: view) }
    }
    lockedCount += 1
    let writes = writes(after: reads.map(\.answer))
    try end(reads, writes, abortCount: \.circleCount) { () throws(DatabaseError) in
      try scope.commit(writes)
    }
  }

  private mutating func reads(
    _ answer: (GeneratedRead) throws(DatabaseError) -> ReadAnswer?
  ) throws -> [(read: GeneratedRead, answer: ReadAnswer)] {
    var reads: [(read: GeneratedRead, answer: ReadAnswer)] = []
    for _ in 0..<random.pick([1, 1, 2, 3]) {
      let read =
        random.oneIn(3) ? .document(generator.path(using: &random)) : random.pick(pool)
      guard let answer = try answer(read) else {
        skipCount += 1
        continue
      }
      reads.append((read, answer))
      if random.oneIn(3) { sched_yield() }
    }
    return reads
  }

  private mutating func end(
    _ reads: [(read: GeneratedRead, answer: ReadAnswer)], _ writes: [Write],
    abortCount: WritableKeyPath<TransactionSession, Int>,
    _ commit: () throws(DatabaseError) -> CommitResult
  ) throws(DatabaseError) {
    do throws(DatabaseError) {
      let time = try commit().commitTime
      events.append(
        HistoryEvent(reads: reads, writes: writes, time: time, isReadOnly: writes.isEmpty))
    } catch {
      guard error.code == .aborted else { throw error }
      self[keyPath: abortCount] += 1
    }
  }

  /// Returns writes that follow from the reads, half of them to documents that were read.
  private mutating func writes(after answers: [ReadAnswer]) -> [Write] {
    let seen = answers.flatMap(\.paths)
    let digest = answers.reduce(0) { $0 &* 31 &+ $1.digest }
    return (0..<random.pick([0, 1, 1, 1, 2])).map { number in
      let path =
        seen.isEmpty || random.oneIn(2) ? generator.path(using: &random) : random.pick(seen)
      return write(to: path, using: UInt64(bitPattern: Int64(digest &+ number)))
    }
  }

  private func write(to path: ResourcePath, using seed: UInt64) -> Write {
    var random = SplitMix64(seed: seed)
    return random.oneIn(4) ? .delete(path) : .set(path, generator.fields(using: &random))
  }
}

private struct TransactionMix {
  var groupedCount = 0
  private var readCounts: [String: Int] = [:]
  private var committed = 0
  private var readOnly = 0
  private var plain = 0
  private var aborted = 0
  private var locked = 0
  private var inCircles = 0
  private var refused = 0
  private var skipped = 0

  mutating func add(_ session: TransactionSession) {
    for event in session.events {
      if event.reads.isEmpty, !event.isReadOnly { plain += 1 }
      if event.isReadOnly { readOnly += 1 }
      for (read, _) in event.reads { readCounts[read.kind, default: 0] += 1 }
    }
    committed += session.events.count
    aborted += session.abortCount
    locked += session.lockedCount
    inCircles += session.circleCount
    refused += session.refusalCount
    skipped += session.skipCount
  }

  func check() {
    for (kind, count) in readCounts.sorted(by: { $0.key < $1.key }) {
      print("  reads, \(kind): \(count)")
    }
    print(
      """
        committed: \(committed)
        of these without reads: \(plain)
        of these without writes: \(readOnly)
        of these in groups of several: \(groupedCount)
        aborted: \(aborted)
        with locks: \(locked)
        of these aborted: \(inCircles)
        refused: \(refused)
        reads skipped: \(skipped)
      """)
    let total = committed + aborted + inCircles + refused
    guard GeneratedCases.areMany(total) else { return }
    #expect(readCounts.count == 6)
    for count in [plain, readOnly, groupedCount, aborted] { #expect(count * 50 >= total) }
    #expect(locked * 3 > total && inCircles > 0)
    #expect(aborted * 2 < total && refused * 10 < total && skipped * 20 < total)
  }
}
