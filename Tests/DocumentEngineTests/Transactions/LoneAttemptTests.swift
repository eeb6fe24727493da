import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import Glibc
import HearthOrderedStore
import HearthQueryPlanning
import TestSupport
import Testing

/// The last attempt of a transaction: other commits wait for it meanwhile, but not for ever.
@Suite struct LoneAttemptTests {
  private static let counter = ResourcePath(unchecked: ["c", "counter"])

  /// Longer than any of these tests takes, but not for ever, so that a failing test ends.
  private static let longHold: UInt64 = 3_600_000_000_000

  /// - Parameter holding: the longest time for which an attempt may hold others up.
  private func makeEngine(holding nanoseconds: UInt64 = longHold) throws -> Engine {
    var settings = EngineSettings()
    settings.holdingNanoseconds = nanoseconds
    let engine = try Engine(MemoryStore(), settings: settings)
    _ = try engine.commit([.set(Self.counter, ["count": 0, "order": .array([])])])
    return engine
  }

  private func count(_ document: FetchedDocument?) throws -> Int64 {
    guard case .integer(let count)? = try document?.value(at: FieldPath(unchecked: ["count"]))
    else { return 0 }
    return count
  }

  private func append(_ number: Int) -> Write {
    .merge(
      Self.counter, [:],
      transforms: [
        FieldTransform(FieldPath(unchecked: ["order"]), .arrayUnion([.integer(Int64(number))]))
      ])
  }

  private func add(to scope: TransactionScope) throws {
    let count = try count(scope.document(at: Self.counter))
    try scope.append(.merge(Self.counter, ["count": .integer(count + 1)]))
  }

  /// Waits until a given number of commits are held up, the last of them the commit of `work`.
  private func waitForHeld(_ count: Int, in engine: Engine, by work: Waiting) {
    while engine.heldCommitCount < count, !work.isOver { sched_yield() }
    #expect(engine.heldCommitCount == count)
  }

  @Test func othersWaitForItInTheOrderInWhichTheyCame() throws {
    let engine = try makeEngine()
    let scope = try engine.beginTransaction(alone: LoneAttempt())
    try add(to: scope)
    let committed = Lock(0)
    try withThreads(3) { number in
      _ = try engine.commit([append(number)])
      committed.withLock { $0 += 1 }
    } startedOneByOne: { number, work in
      waitForHeld(number + 1, in: engine, by: work)
    } meanwhile: {
      #expect(committed.withLock { $0 } == 0)
      _ = try scope.commit()
      // Without this there is no end to wait for.
      try #require(engine.heldCommitCount == 0)
    }
    let document = try engine.document(at: Self.counter)
    #expect(try count(document) == 1)
    #expect(try document?.value(at: FieldPath(unchecked: ["order"])) == .array([0, 1, 2]))
  }

  /// Starts threads one after the other, calls `body`, and waits for all of them.
  private func withThreads(
    _ count: Int, _ work: @escaping @Sendable (Int) throws -> Void,
    startedOneByOne: (Int, Waiting) -> Void, meanwhile body: () throws -> Void
  ) throws {
    let all = (0..<count).map { number in
      let waiting = Waiting()
      startThread { waiting.end(Result { try work(number) }) }
      startedOneByOne(number, waiting)
      return waiting
    }
    try body()
    for waiting in all { try waiting.wait() }
  }

  @Test func itGivesWayWhenItIsGivenUp() throws {
    let engine = try makeEngine()
    let scope = try engine.beginTransaction(alone: LoneAttempt())
    try withThreads(1) { _ in
      _ = try engine.commit([append(0)])
    } startedOneByOne: { _, work in
      waitForHeld(1, in: engine, by: work)
    } meanwhile: {
      scope.rollback()
      // Without this there is no end to wait for.
      try #require(engine.heldCommitCount == 0)
    }
  }

  /// After its time, others commit as usual, so that the attempt may meet a conflict once more.
  @Test(arguments: [0, 1_000_000])
  func othersDoNotWaitForEver(nanoseconds: UInt64) throws {
    let engine = try makeEngine(holding: nanoseconds)
    let scope = try engine.beginTransaction(alone: LoneAttempt())
    try add(to: scope)
    try onThreads(1) { _ in _ = try engine.commit([append(0)]) }
    let error = #expect(throws: DatabaseError.self) { _ = try scope.commit() }
    #expect(error?.code == .aborted)
  }

  /// The next attempt that is to run alone doesn't wait for ever either.
  @Test func theNextDoesNotWaitForEver() throws {
    let engine = try makeEngine(holding: 1_000_000)
    let first = try engine.beginTransaction(alone: LoneAttempt())
    try add(to: first)
    try onThreads(1) { _ in
      let second = try engine.beginTransaction(alone: LoneAttempt())
      try add(to: second)
      _ = try second.commit()
    }
    #expect(throws: DatabaseError.self) { _ = try first.commit() }
    #expect(try count(engine.document(at: Self.counter)) == 1)
  }

  /// The commit is refused whether or not the attempt still holds others up, so that the answer
  /// doesn't depend on speed.
  @Test(arguments: [0, longHold])
  func aCommitFromInsideIsRefused(nanoseconds: UInt64) throws {
    let engine = try makeEngine(holding: nanoseconds)
    let lone = LoneAttempt()
    let scope = try engine.beginTransaction(alone: lone)
    try LoneAttempt.run(lone) {
      let write = #expect(throws: DatabaseError.self) { _ = try engine.commit([append(0)]) }
      #expect(write?.code == .failedPrecondition)
      #expect(write?.message.contains("would wait for itself") == true)
      let other = try engine.beginTransaction()
      try add(to: other)
      #expect(throws: DatabaseError.self) { _ = try other.commit() }
      #expect(throws: DatabaseError.self) { _ = try engine.beginTransaction(alone: LoneAttempt()) }
      // Another database is not affected.
      _ = try makeEngine()
    }
    try add(to: scope)
    _ = try scope.commit()
    // Work that was begun inside may continue after the attempt has ended.
    try LoneAttempt.run(lone) { _ = try engine.commit([append(0)]) }
    #expect(try count(engine.document(at: Self.counter)) == 1)
  }

  /// A change of indexes waits for the one before, which may wait for the attempt.
  @Test func aChangeOfIndexesFromInsideIsRefusedAtOnce() throws {
    let engine = try makeEngine()
    let columns = ["a", "b", "c"].map { IndexColumn(FieldPath(unchecked: [$0]), .ascending) }
    let lone = LoneAttempt()
    let scope = try engine.beginTransaction(alone: lone)
    try withThreads(1) { _ in
      try engine.createIndex(IndexDefinition("c", Array(columns[...1])))
    } startedOneByOne: { _, work in
      waitForHeld(1, in: engine, by: work)
    } meanwhile: {
      defer { scope.rollback() }
      let failure = #expect(throws: DatabaseError.self) {
        try LoneAttempt.run(lone) {
          try engine.createIndex(IndexDefinition("c", Array(columns[1...])))
        }
      }
      #expect(failure?.message.contains("would wait for itself") == true)
      #expect(engine.heldCommitCount == 1)
    }
  }

  /// Work that was begun in a closure continues as any other work.
  @Test func itIsOverWithItsEnd() throws {
    let engine = try makeEngine()
    let lone = LoneAttempt()
    let scope = try engine.beginTransaction(alone: lone)
    LoneAttempt.run(lone) {
      #expect(LoneAttempt.running.count == 1)
      scope.rollback()
      #expect(LoneAttempt.running.isEmpty)
    }
  }

  /// Each transaction tries once with the others, in vain, and then alone: none of these meets a
  /// conflict.
  @Test func noneOfThemMeetsAConflict() throws {
    let engine = try makeEngine()
    try onThreads(8) { thread in
      for round in 0..<25 {
        let first = try engine.beginTransaction()
        try add(to: first)
        _ = try engine.commit([append(25 * thread + round)])
        let error = #expect(throws: DatabaseError.self) { _ = try first.commit() }
        #expect(error?.code == .aborted)
        let last = try engine.beginTransaction(alone: LoneAttempt())
        try add(to: last)
        sched_yield()
        _ = try last.commit()
      }
    }
    #expect(try count(engine.document(at: Self.counter)) == 200)
  }
}
