import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import Glibc
import HearthOrderedStore
import HearthQueryPlanning
import TestSupport
import Testing

private let contention = "Too much contention on these documents. Please try again."
private let expiry = "The referenced transaction has expired or is no longer valid."

/// Transactions that lock what they read, and writers that wait for them (§7.4).
@Suite struct LockTests {
  private static let a = ResourcePath(unchecked: ["c", "a"])
  private static let b = ResourcePath(unchecked: ["c", "b"])

  /// Returns an engine with two documents, `c/a` and `c/b`.
  private func makeEngine(
    timeout: Duration = .seconds(3600), over store: any OrderedStore = MemoryStore(),
    _ change: (inout EngineSettings) -> Void = { _ in }
  ) throws -> Engine {
    var settings = EngineSettings()
    settings.locks.timeout = timeout
    change(&settings)
    let engine = try Engine(store, settings: settings)
    _ = try engine.commit([.set(Self.a, ["n": 1]), .set(Self.b, ["n": 2])])
    return engine
  }

  private func read(_ path: ResourcePath, in scope: LockingScope) throws -> MapValue? {
    try scope.read { view throws(DatabaseError) in try view.document(at: path)?.fields() }
  }

  /// Runs `work` on a thread, and calls `body` once the work waits for a lock.
  private func whileWaiting(
    _ work: @escaping @Sendable () throws -> Void, in engine: Engine, _ body: () throws -> Void
  ) throws {
    let waiting = Waiting()
    let count = engine.lockWaitCount
    startThread { waiting.end(Result { try work() }) }
    while engine.lockWaitCount == count, !waiting.isOver { sched_yield() }
    // Otherwise there is no end to wait for.
    try #require(!waiting.isOver)
    try body()
    try waiting.wait()
  }

  // MARK: Waiting

  @Test func aWriterOfAReadDocumentWaitsUntilTheCommit() throws {
    let engine = try makeEngine()
    let scope = try engine.beginLockingTransaction()
    #expect(try read(Self.a, in: scope) == ["n": 1])
    _ = try engine.commit([.set(Self.b, ["n": 20])])
    try whileWaiting({ _ = try engine.commit([.set(Self.a, ["n": 100])]) }, in: engine) {
      #expect(try engine.document(at: Self.a)?.fields() == ["n": 1])
      _ = try scope.commit([.set(Self.a, ["n": 3])])
    }
    #expect(try engine.document(at: Self.a)?.fields() == ["n": 100])
    #expect(engine.lockWaitCount == 0)
  }

  @Test func aRollbackLetsAWriterGoOn() throws {
    let engine = try makeEngine()
    let scope = try engine.beginLockingTransaction()
    #expect(try read(Self.a, in: scope) == ["n": 1])
    try whileWaiting({ _ = try engine.commit([.delete(Self.a)]) }, in: engine) {
      scope.rollback()
      scope.rollback()
    }
    #expect(try engine.document(at: Self.a) == nil)
  }

  /// The last reference ends a transaction too.
  @Test func aTransactionThatIsReleasedHoldsNothing() throws {
    let engine = try makeEngine(timeout: .zero)
    var scope: LockingScope? = try engine.beginLockingTransaction()
    _ = try scope?.read { view throws(DatabaseError) in try view.document(at: Self.a) }
    #expect(code { _ = try engine.commit([.delete(Self.a)]) } == .aborted)
    scope = nil
    _ = try engine.commit([.delete(Self.a)])
  }

  @Test func aWriterWithoutAReadLocksNothing() throws {
    let engine = try makeEngine(timeout: .zero)
    let scope = try engine.beginLockingTransaction()
    _ = try engine.commit([.set(Self.a, ["n": 200])])
    _ = try scope.commit([.set(Self.a, ["n": 4])])
    #expect(try engine.document(at: Self.a)?.fields() == ["n": 4])
  }

  @Test(arguments: [Duration.zero, .milliseconds(1)])
  func aWriterDoesNotWaitForEver(timeout: Duration) throws {
    let engine = try makeEngine(timeout: timeout)
    let scope = try engine.beginLockingTransaction()
    #expect(try read(Self.a, in: scope) == ["n": 1])
    #expect(message { _ = try engine.commit([.set(Self.a, ["n": 100])]) } == contention)
    #expect(engine.lockWaitCount == 0)
    _ = try scope.commit([.set(Self.a, ["n": 3])])
    #expect(try engine.document(at: Self.a)?.fields() == ["n": 3])
  }

  /// Each write of a batch is a commit of its own: only the one that meets a lock is refused.
  @Test func aBatchWaitsAsAWholeAndLosesOnlyWhatIsLocked() throws {
    let engine = try makeEngine()
    let scope = try engine.beginLockingTransaction()
    #expect(try read(Self.a, in: scope) == ["n": 1])
    let outcomes = Lock<[Result<WriteResult, DatabaseError>]>([])
    try whileWaiting(
      {
        let results = try engine.batchWrite([
          .set(Self.b, ["n": 20]), .set(Self.a, ["n": 10]),
          .set(ResourcePath("c/x"), [:]),
        ])
        outcomes.withLock { $0 = results }
      }, in: engine
    ) { engine.endLockWaits() }
    let codes = outcomes.withLock { $0 }.map { outcome in code { _ = try outcome.get() } }
    #expect(codes == [nil, .aborted, nil])
    #expect(try engine.document(at: Self.a)?.fields() == ["n": 1])
    #expect(try engine.document(at: Self.b)?.fields() == ["n": 20])
    try whileWaiting({ _ = try engine.batchWrite([.set(Self.a, ["n": 10])]) }, in: engine) {
      scope.rollback()
    }
    #expect(try engine.document(at: Self.a)?.fields() == ["n": 10])
  }

  @Test func aTransactionWithoutLocksWaitsToo() throws {
    let engine = try makeEngine()
    let scope = try engine.beginLockingTransaction()
    #expect(try read(Self.a, in: scope) == ["n": 1])
    let other = try engine.beginTransaction()
    _ = try other.document(at: Self.b)
    try other.append(.set(Self.a, ["n": 7]))
    try whileWaiting({ _ = try other.commit() }, in: engine) { scope.rollback() }
    #expect(try engine.document(at: Self.a)?.fields() == ["n": 7])
  }

  /// The last attempt of a transaction holds others up, but not those for which it waits.
  @Test func anAttemptThatRunsAloneLetsTheHolderOfItsLockCommit() throws {
    let engine = try makeEngine { $0.holdingNanoseconds = 3_600_000_000_000 }
    let scope = try engine.beginLockingTransaction()
    #expect(try read(Self.a, in: scope) == ["n": 1])
    let lone = try engine.beginTransaction(alone: LoneAttempt())
    try lone.append(.set(Self.a, ["n": 7]))
    try whileWaiting({ _ = try lone.commit() }, in: engine) {
      _ = try scope.commit([.set(Self.b, ["n": 8])])
    }
    #expect(try engine.document(at: Self.a)?.fields() == ["n": 7])
    #expect(try engine.document(at: Self.b)?.fields() == ["n": 8])
  }

  // MARK: Reads

  /// Returns whether a transaction that reads with `read` holds up a commit of `writes`.
  private func holds(
    _ engine: Engine, _ writes: [Write], _ read: (ReadView) throws(DatabaseError) -> Void
  ) throws -> Bool {
    let scope = try engine.beginLockingTransaction()
    defer { scope.rollback() }
    try scope.read(read)
    let failure = code { _ = try engine.commit(writes) }
    #expect(failure == nil || failure == .aborted)
    return failure == .aborted
  }

  @Test func readsLockWhatTheyDependOn() throws {
    let engine = try makeEngine(timeout: .zero)
    for number in 0..<10 as Range<Int64> {
      _ = try engine.commit([.set(ResourcePath("d/\(number)"), ["n": .integer(number * 10)])])
    }
    let n = FieldPath(unchecked: ["n"])
    let page = StructuredQuery(
      collectionID: "d", filter: .field(n, .greaterThanOrEqual, 50), limit: 2)
    func reading(_ query: StructuredQuery) -> (ReadView) throws(DatabaseError) -> Void {
      { view throws(DatabaseError) in
        let execution = try view.run(query)
        while try execution.nextDocument() != nil {}
      }
    }
    let fresh = { (id: String, value: Int64) in
      [Write.set(ResourcePath(unchecked: ["d", id]), ["n": .integer(value)])]
    }
    #expect(try holds(engine, fresh("x", 55), reading(page)))
    #expect(try !holds(engine, fresh("y", 45), reading(page)))
    #expect(try !holds(engine, fresh("z", 65), reading(page)), "after the page")
    let missing = { (path: String) in
      { (view: ReadView) throws(DatabaseError) in _ = try view.document(at: ResourcePath(path)) }
    }
    #expect(try holds(engine, [.set(ResourcePath("d/new"), [:])], missing("d/new")))
    #expect(try holds(engine, [.set(ResourcePath("e/new"), [:])], missing("e/new")))
    let count = { (view: ReadView) throws(DatabaseError) in
      _ = try view.run(StructuredQuery(collectionID: "d")).countResults()
    }
    #expect(try holds(engine, fresh("w", 1), count))
    #expect(try !holds(engine, fresh("5", 51), count), "no entry by name changes")
  }

  @Test func listingsLockWhatTheyDependOn() throws {
    let engine = try makeEngine(timeout: .zero)
    _ = try engine.commit([.set(ResourcePath("c/m/deep/x"), [:])])
    func listing(
      pageSize: Int = 0, showsMissing: Bool = false
    ) -> (ReadView) throws(DatabaseError) -> Void {
      { view throws(DatabaseError) in
        _ = try view.listDocuments(
          DocumentListing(
            ResourcePath(unchecked: ["c"]), pageSize: pageSize, showsMissing: showsMissing))
      }
    }
    #expect(try holds(engine, [.set(ResourcePath("c/k"), [:])], listing()))
    #expect(try holds(engine, [.set(Self.a, ["n": 5])], listing()))
    #expect(try !holds(engine, [.set(Self.b, ["n": 5])], listing(pageSize: 1)))
    #expect(try !holds(engine, [.set(ResourcePath("c/n/deep/x"), [:])], listing()))
    #expect(try holds(engine, [.set(ResourcePath("c/p/deep/x"), [:])], listing(showsMissing: true)))
    #expect(try holds(engine, [.delete(ResourcePath("c/m/deep/x"))], listing(showsMissing: true)))
    #expect(
      try holds(engine, [.set(ResourcePath("z/z"), [:])]) { view throws(DatabaseError) in
        _ = try view.collectionIDs(below: .root)
      })
  }

  /// A commit between the view and the lock makes the read run again.
  @Test func aReadThatWasOvertakenIsRepeated() throws {
    let engine = try makeEngine()
    let scope = try engine.beginLockingTransaction()
    var runCount = 0
    let fields = try scope.read { view throws(DatabaseError) in
      let fields = try view.document(at: Self.a)?.fields()
      runCount += 1
      if runCount == 1 { _ = try engine.commit([.set(Self.a, ["n": 10])]) }
      return fields
    }
    #expect(runCount == 2)
    #expect(fields == ["n": 10])
  }

  /// A commit that goes to the store while a read locks its keys has looked at the locks before.
  @Test func aReadWaitsForTheCommitUnderWay() throws {
    let observer = HeldCommit()
    let engine = try makeEngine(over: ObservedStore(MemoryStore(), observer: observer))
    let scope = try engine.beginLockingTransaction()
    observer.hold()
    let writer = Waiting()
    startThread {
      writer.end(Result { _ = try engine.commit([.set(Self.a, ["n": 10])]) })
    }
    observer.waitForWriter()
    let fields = try scope.read { view throws(DatabaseError) in
      let fields = try view.document(at: Self.a)?.fields()
      observer.release()
      return fields
    }
    try writer.wait()
    #expect(fields == ["n": 10])
  }

  /// A write that waits once more may wait for a transaction whose read waits for it.
  @Test func aReadPassesAWriteThatComesToWaitForItsTransaction() throws {
    let engine = try makeEngine(timeout: .seconds(60))
    let first = try engine.beginLockingTransaction()
    #expect(try read(Self.a, in: first) == ["n": 1])
    // It locks the place in the index to which the write will move the document.
    let second = try engine.beginLockingTransaction()
    let n = FieldPath(unchecked: ["n"])
    let eleven = StructuredQuery(collectionID: "c", filter: .field(n, .equal, 11))
    let count = try second.read { view throws(DatabaseError) in
      try view.run(eleven).countResults()
    }
    #expect(count == 0)
    let write = Write.merge(Self.a, [:], transforms: [FieldTransform(n, .increment(1))])
    let writing = Waiting()
    startThread { writing.end(Result { _ = try engine.commit([write]) }) }
    while engine.lockWaitCount < 1 { sched_yield() }
    let found = Lock<MapValue?>(nil)
    let reading = Waiting()
    startThread {
      reading.end(
        Result {
          let fields = try self.read(Self.a, in: second)
          found.withLock { $0 = fields }
        })
    }
    while engine.lockWaitCount < 2 { sched_yield() }
    _ = try first.commit([.set(Self.a, ["n": 10])])
    try reading.wait()
    #expect(found.withLock { $0 } == ["n": 10])
    second.rollback()
    try writing.wait()
    #expect(try engine.document(at: Self.a)?.fields() == ["n": 11])
  }

  /// A new reader doesn't pass a writer that waits; one that holds the lock does.
  @Test func writersAreNotStarvedByReaders() throws {
    let engine = try makeEngine()
    let first = try engine.beginLockingTransaction()
    let second = try engine.beginLockingTransaction()
    #expect(try read(Self.a, in: first) == ["n": 1])
    let found = Lock<MapValue?>(nil)
    try whileWaiting({ _ = try engine.commit([.set(Self.a, ["n": 10])]) }, in: engine) {
      try whileWaiting(
        {
          let fields = try second.read { view throws(DatabaseError) in
            try view.document(at: Self.a)?.fields()
          }
          found.withLock { $0 = fields }
        }, in: engine
      ) { () throws in
        #expect(try read(Self.a, in: first) == ["n": 1])
        #expect(try engine.document(at: Self.a)?.fields() == ["n": 1], "plain reads never wait")
        first.rollback()
      }
    }
    #expect(found.withLock { $0 } == ["n": 10])
  }

  @Test func aReadDoesNotWaitForEver() throws {
    let engine = try makeEngine()
    let first = try engine.beginLockingTransaction()
    let second = try engine.beginLockingTransaction()
    #expect(try read(Self.a, in: first) == ["n": 1])
    #expect(try read(Self.b, in: second) == ["n": 2])
    let writer = Waiting()
    startThread { writer.end(Result { _ = try engine.commit([.delete(Self.a)]) }) }
    while engine.lockWaitCount == 0 { sched_yield() }
    let failure = Lock<String?>(nil)
    try whileWaiting(
      {
        let text = message {
          _ = try second.read { view throws(DatabaseError) in try view.document(at: Self.a) }
        }
        failure.withLock { $0 = text }
      }, in: engine
    ) { engine.endLockWaits() }
    #expect(failure.withLock { $0 } == contention)
    #expect(throws: DatabaseError.self) { try writer.wait() }
    // It has lost its locks.
    _ = try engine.commit([.delete(Self.b)])
    #expect(message { _ = try second.commit([]) } == expiry)
  }

  // MARK: Who loses

  @Test func theYoungerOfTwoThatWaitForEachOtherIsAborted() throws {
    for youngerIsFirst in [false, true] {
      let engine = try makeEngine()
      let older = try engine.beginLockingTransaction()
      let younger = try engine.beginLockingTransaction()
      for scope in [older, younger] { #expect(try read(Self.a, in: scope) == ["n": 1]) }
      let texts = Lock<[Bool: String?]>([:])
      let (first, second) = youngerIsFirst ? (younger, older) : (older, younger)
      let commit = { @Sendable (scope: LockingScope, isYounger: Bool) in
        let text = message { _ = try scope.commit([.set(Self.a, ["n": isYounger ? 20 : 10])]) }
        texts.withLock { $0[isYounger] = .some(text) }
      }
      try whileWaiting({ commit(first, youngerIsFirst) }, in: engine) {
        commit(second, !youngerIsFirst)
      }
      #expect(texts.withLock { $0 } == [false: nil, true: contention])
      #expect(try engine.document(at: Self.a)?.fields() == ["n": 10])
      #expect(message { _ = try read(Self.a, in: younger) } == expiry)
    }
  }

  /// A later attempt takes over the age of the one that was aborted.
  @Test func aRetryIsAsOldAsItsFirstAttempt() throws {
    let engine = try makeEngine()
    let lost = try engine.beginLockingTransaction()
    lost.rollback()
    let other = try engine.beginLockingTransaction()
    let retry = try engine.beginLockingTransaction(seniority: lost.seniority)
    #expect(retry.seniority < other.seniority)
    for scope in [other, retry] { #expect(try read(Self.a, in: scope) == ["n": 1]) }
    let text = Lock<String?>(nil)
    try whileWaiting(
      {
        let loss = message { _ = try other.commit([.set(Self.a, ["n": 20])]) }
        text.withLock { $0 = loss }
      }, in: engine
    ) { _ = try retry.commit([.set(Self.a, ["n": 10])]) }
    #expect(text.withLock { $0 } == contention)
    #expect(try engine.document(at: Self.a)?.fields() == ["n": 10])
  }

  // MARK: Ends and limits

  @Test func aTransactionEndsOnce() throws {
    let engine = try makeEngine()
    let ends: [(LockingScope) throws -> Void] = [
      { _ = try $0.commit([]) },
      { $0.rollback() },
      { scope in
        // Even if it fails.
        let failure = code { _ = try scope.commit([.delete(ResourcePath("c/x"), .exists(true))]) }
        #expect(failure == .notFound)
      },
    ]
    for end in ends {
      let scope = try engine.beginLockingTransaction()
      #expect(try read(Self.a, in: scope) == ["n": 1])
      try end(scope)
      scope.rollback()
      #expect(message { _ = try read(Self.a, in: scope) } == expiry)
      #expect(message { _ = try scope.commit([]) } == expiry)
      _ = try engine.commit([.set(Self.a, ["n": 2])])
      _ = try engine.commit([.set(Self.a, ["n": 1])])
    }
  }

  @Test func aReadThatFailsLocksNothing() throws {
    let engine = try makeEngine(timeout: .zero)
    let scope = try engine.beginLockingTransaction()
    let failure = code {
      try scope.read { view throws(DatabaseError) in
        _ = try view.document(at: Self.a)
        throw DatabaseError(.notFound, "none")
      }
    }
    #expect(failure == .notFound)
    _ = try engine.commit([.delete(Self.a)])
    #expect(try read(Self.b, in: scope) == ["n": 2])
  }

  @Test func transactionsAndLocksAreLimited() throws {
    let engine = try makeEngine {
      $0.locks.transactionCount = 2
      $0.locks.rangeCount = 3
    }
    let first = try engine.beginLockingTransaction()
    let second = try engine.beginLockingTransaction()
    #expect(code { _ = try engine.beginLockingTransaction() } == .resourceExhausted)
    for scope in [first, second] { #expect(try read(Self.a, in: scope) == ["n": 1]) }
    for _ in 0..<9 { #expect(try read(Self.a, in: first) == ["n": 1]) }
    #expect(try read(Self.b, in: first) == ["n": 2])
    #expect(code { _ = try read(Self.b, in: second) } == .resourceExhausted)
    _ = try first.commit([])
    #expect(try read(Self.b, in: second) == ["n": 2])
    _ = try engine.beginLockingTransaction()
  }

  @Test func theBoundsOfLocksAreLimited() throws {
    // Names of equal length, and room for the bounds of two and a half.
    let tail = String(repeating: "x", count: 1_000)
    let paths = try (0..<4).map { try ResourcePath("c/\($0)\(tail)") }
    let engine = try makeEngine { $0.locks.byteCount = 5_200 }
    let first = try engine.beginLockingTransaction()
    let second = try engine.beginLockingTransaction()
    for _ in 0..<9 { #expect(try read(paths[0], in: first) == nil) }
    #expect(try read(paths[1], in: second) == nil)
    #expect(code { _ = try read(paths[2], in: second) } == .resourceExhausted)
    // It goes on with the locks that it has, and every end gives others room.
    let third = try engine.beginLockingTransaction()
    #expect(code { _ = try read(paths[3], in: third) } == .resourceExhausted)
    first.rollback()
    #expect(try read(paths[2], in: second) == nil)
    _ = try second.commit([])
    for path in paths.prefix(2) { #expect(try read(path, in: third) == nil) }
  }

  @Test func closingEndsTransactionsAndFreesWriters() throws {
    let engine = try makeEngine()
    let scope = try engine.beginLockingTransaction()
    #expect(try read(Self.a, in: scope) == ["n": 1])
    try whileWaiting({ _ = try engine.commit([.delete(Self.a)]) }, in: engine) {
      engine.endLockingTransactions()
    }
    #expect(message { _ = try read(Self.b, in: scope) } == expiry)
    #expect(code { _ = try engine.beginLockingTransaction() } == .failedPrecondition)
    try engine.close()
    #expect(code { _ = try engine.beginLockingTransaction() } == .failedPrecondition)
  }

  @Test func idleTimeAndAgeAreMeasured() throws {
    let clock = TurnedClock()
    let engine = try Engine(over: MemoryStore(), clock: clock)
    let scope = try engine.beginLockingTransaction()
    clock.pass(seconds: 50)
    #expect(scope.idleTime == .seconds(50) && scope.age == .seconds(50))
    try scope.read { _ throws(DatabaseError) in
      clock.pass(seconds: 7)
      #expect(scope.idleTime == .zero)
    }
    clock.pass(seconds: 3)
    #expect(scope.idleTime == .seconds(3) && scope.age == .seconds(60))
  }

  // MARK: Costs

  /// With no transaction open, a commit takes the locks that it took before there were any.
  @Test func aCommitPaysNothingWhileNoTransactionIsOpen() throws {
    // With the system's clock, since that of tests has a lock of its own.
    let engine = try Engine(over: MemoryStore())
    var number: Int64 = 0
    func commit() throws {
      number += 1
      _ = try engine.commit([.set(Self.a, ["n": .integer(number)])])
    }
    func locks() throws -> Int? {
      // The first commits find other views and caches.
      for _ in 0..<4 { try commit() }
      return try locksTaken { try commit() }
    }
    let before = try locks()
    let scope = try engine.beginLockingTransaction()
    #expect(try read(Self.b, in: scope) == nil)
    let meanwhile = try locks()
    scope.rollback()
    #expect(try locks() == before)
    // Release builds don't count.
    guard let before, let meanwhile else { return }
    #expect(meanwhile == before + 1)
  }
}

/// An observer that holds a commit on its way to the store.
private final class HeldCommit: StoreObserver {
  private struct State {
    var isHolding = false
    var hasWriter = false
  }

  private let state = Lock(State())

  func hold() { state.withLock { $0.isHolding = true } }
  func waitForWriter() { state.withLock(when: { $0.hasWriter }) { _ in } }
  func release() { state.withLock { $0.isHolding = false } }

  func willPerform(_ operation: StoreOperation) {}
  func didRead(byteCount: Int) {}
  func willWrite(_ batch: StoreBatch, to store: any OrderedStore) {
    guard state.withLock({ $0.isHolding }) else { return }
    state.withLock { $0.hasWriter = true }
    state.withLock(when: { !$0.isHolding }) { _ in }
  }
}

/// A clock whose time passes only by calls.
private final class TurnedClock: EngineClock {
  private let nanoseconds = Lock<UInt64>(0)

  func now() -> Timestamp { .minimum }
  func monotonicNanoseconds() -> UInt64 { nanoseconds.withLock { $0 } }
  func pass(seconds: UInt64) { nanoseconds.withLock { $0 += seconds * 1_000_000_000 } }
}
