import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import Foundation
import HearthOrderedStore
import HearthQueryPlanning
import HearthReports
import HearthStorageFormat
import TestSupport
import Testing

/// Builds that are made step by step.
@Suite struct BuildTests {
  private func definition(_ group: String, _ names: String...) -> IndexDefinition {
    IndexDefinition(group, names.map { IndexColumn(FieldPath(unchecked: [$0]), .ascending) })
  }

  private func filled(
    _ store: any OrderedStore = MemoryStore(), count: Int = 1000, chunk: Int = 100,
    clock: any EngineClock = SystemClock()
  ) throws -> Engine {
    try filled(store, count: count, .building(chunk), clock)
  }

  private func filled(
    _ store: any OrderedStore, count: Int, _ settings: EngineSettings,
    _ clock: any EngineClock = SystemClock()
  ) throws -> Engine {
    let engine = try Engine(store, settings: settings, clock: clock)
    for start in stride(from: 0, to: count, by: 100) {
      _ = try engine.commit(
        (start..<start + 100).map { number in
          let fields: MapValue = [
            "a": .integer(Int64(number % 7)), "b": .integer(Int64(number)), "c": "x",
          ]
          let group = number.isMultiple(of: 2) ? "c" : "d"
          return .set(ResourcePath(unchecked: [group, "\(number)"]), fields)
        })
    }
    return engine
  }

  private func finish(_ engine: Engine) throws {
    while try engine.builds.step() != nil {}
  }

  private func states(_ engine: Engine) throws -> [IndexState] {
    try engine.readView().catalog.indexes.composites.map(\.state)
  }

  @Test func oneScanBuildsSeveralIndexes() throws {
    func reads(_ definitions: [IndexDefinition]) throws -> Int {
      let counter = StoreCounter()
      let engine = try filled(ObservedStore(MemoryStore(), observer: counter))
      let numbers = try engine.builds.begin(definitions)
      #expect(numbers == Array(1...definitions.count))
      counter.reset()
      try finish(engine)
      let reads = counter.counts.nexts
      #expect(try states(engine).allSatisfy { $0 == .ready })
      #expect(try engine.verify().isClean)
      return reads
    }
    let one = try reads([definition("c", "a", "b")])
    #expect(one >= 1000)
    let four = try reads([
      definition("c", "a", "b"), definition("c", "b", "a"), definition("d", "a", "b"),
      definition("d", "c", "a"),
    ])
    #expect(four < one + 600, "the documents were read more than once")
  }

  @Test func aCallerCanWaitForManyBuilds() throws {
    let engine = try Engine(MemoryStore())
    let numbers = try engine.builds.begin((0..<150).map { definition("c", "a\($0)", "b") })
    for number in numbers { try engine.builds.wait(for: number) }
    #expect(try engine.builds.list().count { $0.state == .ready } == 150)
  }

  @Test func aLaterIndexIsBuiltByTheNextScan() throws {
    let engine = try filled()
    _ = try engine.builds.begin([definition("c", "a", "b")])
    for _ in 0..<3 { _ = try engine.builds.step() }
    _ = try engine.builds.begin([definition("c", "b", "a")])
    let first = try #require(try engine.builds.list().first)
    #expect(first.fraction > 0 && first.state == .building)
    try finish(engine)
    #expect(try engine.builds.list().map(\.state) == [.ready, .ready])
    #expect(try engine.builds.list().map(\.entriesWritten) == [500, 500])
    #expect(try engine.verify().isClean)
  }

  @Test func aPausedBuildStaysPausedUntilItIsResumed() throws {
    let store = MemoryStore()
    let engine = try filled(store)
    let number = try engine.builds.begin([definition("c", "a", "b")])[0]
    for _ in 0..<5 { _ = try engine.builds.step() }
    try engine.builds.pause(number)
    #expect(try engine.builds.step() == nil)
    #expect(try engine.builds.status(of: number).state == .paused)
    // A caller that can't wait for a resume returns at once.
    try engine.builds.wait(for: number, endsPaused: true) { _ in }
    #expect(try engine.verify().isClean)

    let reopened = try Engine(store)
    #expect(!reopened.builds.hasWork)
    #expect(try reopened.builds.step() == nil)
    let build = try reopened.builds.build(of: definition("c", "a", "b"))
    #expect(try reopened.builds.status(of: build).state == .paused)
    try reopened.builds.resume(build)
    #expect(reopened.builds.hasWork)
    try finish(reopened)
    #expect(try reopened.builds.status(of: build).state == .ready)
    #expect(try states(reopened) == [.ready])
    #expect(try reopened.verify().isClean)
    #expect(code { try reopened.builds.pause(build) } == .failedPrecondition)
    #expect(code { try reopened.builds.pause(77) } == .notFound)
  }

  @Test func creatingAPausedIndexResumesIt() throws {
    let engine = try filled()
    try engine.builds.pause(try engine.builds.begin([definition("c", "a", "b")])[0])
    try engine.createIndex(definition("c", "a", "b"))
    #expect(try states(engine) == [.ready])
  }

  @Test func aCancelledBuildLeavesNothing() throws {
    let store = MemoryStore()
    let engine = try filled(store)
    let before = try store.keys().count
    let numbers = try engine.builds.begin([definition("c", "a", "b"), definition("d", "a", "b")])
    for _ in 0..<7 { _ = try engine.builds.step() }
    #expect(try store.keys().count > before + 100)
    try engine.builds.cancel(numbers[0])
    #expect(try engine.builds.status(of: numbers[0]).state == .cancelled)
    // To drop an index that is being built is the same.
    try engine.dropIndex(definition("d", "a", "b"))
    #expect(try store.keys().count == before)
    #expect(try engine.builds.step() == nil)
    #expect(code { try engine.builds.wait(for: numbers[0]) } == .cancelled)
    #expect(try engine.verify().isClean)
  }

  @Test func aWaitingCallerIsToldThatTheIndexWasDropped() throws {
    let engine = try filled()
    let definition = definition("c", "a", "b")
    let number = try engine.builds.begin([definition])[0]
    try engine.builds.pause(number)
    let outcome = Lock<DatabaseError.Code?>(nil)
    try onThreads(2) { thread in
      if thread == 0 {
        let refusal = code { try engine.builds.wait(for: number) }
        outcome.withLock { $0 = refusal }
      } else {
        try engine.dropIndex(definition)
      }
    }
    #expect(outcome.withLock { $0 } == .cancelled)
  }

  @Test func closingEndsTheWait() throws {
    let engine = try filled()
    let number = try engine.builds.begin([definition("c", "a", "b")])[0]
    try engine.builds.pause(number)
    let outcome = Lock<DatabaseError.Code?>(nil)
    try onThreads(2) { thread in
      if thread == 0 {
        let refusal = code { try engine.builds.wait(for: number) }
        outcome.withLock { $0 = refusal }
      } else {
        try engine.close()
      }
    }
    #expect(outcome.withLock { $0 } == .failedPrecondition)
  }

  // MARK: Index files

  /// A file that is applied again waits for builds that another call has only begun, and drops
  /// nothing before they end.
  @Test(arguments: [false, true], [false, true])
  func buildsThatAFileHasAreFinished(_ prunes: Bool, _ isPaused: Bool) throws {
    let engine = try filled()
    let (old, new) = (definition("c", "a", "b"), definition("c", "b", "a"))
    try engine.createIndex(old)
    let number = try engine.builds.begin([new])[0]
    if isPaused { try engine.builds.pause(number) }
    let plan = try IndexFilePlan(
      from: try engine.indexFile(), to: IndexFile(composites: [new]), prunes: prunes)
    #expect(plan.steps == (prunes ? [.drop(old)] : []))
    try engine.apply(plan, waits: !prunes)
    let composites = try engine.readView().catalog.indexes.composites
    #expect(composites.allSatisfy { $0.state == .ready })
    #expect(composites.map(\.definition) == (prunes ? [new] : [old, new]))
  }

  @Test func buildsThatAFileLacksAreNotWaitedFor() throws {
    let engine = try filled()
    try engine.builds.pause(try engine.builds.begin([definition("c", "a", "b")])[0])
    let plan = try IndexFilePlan(from: try engine.indexFile(), to: IndexFile())
    try engine.apply(plan)
    #expect(try states(engine) == [.creating])
  }

  /// There may be no caller to resume the build. Indexes that the file lacks are not dropped then.
  @Test(.timeLimit(.minutes(30))) func aFileIsNotWaitedForWhoseBuildIsPaused() throws {
    let engine = try filled()
    let (old, new) = (definition("c", "a", "b"), definition("c", "b", "a"))
    try engine.createIndex(old)
    func plan() throws -> IndexFilePlan {
      try IndexFilePlan(
        from: try engine.indexFile(), to: IndexFile(composites: [new]), prunes: true)
    }
    let refusal = #expect(throws: DatabaseError.self) {
      try engine.apply(plan()) { _ in
        _ = try? engine.builds.pause(engine.builds.build(of: new))
      }
    }
    #expect(refusal?.code == .aborted)
    #expect(refusal?.message.contains("(b ASC, a ASC) of c was paused") == true)
    #expect(try states(engine) == [.ready, .creating])
    // Applied again, the build continues.
    try engine.apply(plan())
    #expect(try states(engine) == [.ready])
    #expect(try engine.readView().catalog.indexes.composites.map(\.definition) == [new])
  }

  // MARK: Failing

  @Test func onlyTheIndexToBlameFails() throws {
    let store = MemoryStore()
    let engine = try filled(store)
    let long = Value.string(String(repeating: "x", count: 1500))
    let names = (0..<6).map { "f\($0)" }
    _ = try engine.commit([.set(ResourcePath("c/wide"), MapValue(names.map { ($0, long) }))])
    let wide = IndexDefinition(
      "c", names.map { IndexColumn(FieldPath(unchecked: [$0]), .ascending) })
    let numbers = try engine.builds.begin([
      definition("c", "a", "b"), wide, definition("d", "a", "b"),
    ])
    try finish(engine)
    let statuses = try engine.builds.list()
    #expect(statuses.map(\.state) == [.ready, .failed, .ready])
    #expect(statuses[1].error?.message == "c/wide: Index entry is too large.")
    #expect(message { try engine.builds.wait(for: numbers[1]) } == statuses[1].error?.message)
    #expect(try states(engine) == [.ready, .ready])
    #expect(!engine.builds.hasWork)
    #expect(try engine.verify().isClean)
  }

  /// If a thread steps for no waiting caller, it compacts the index's ranges some time later, if
  /// they were large. The limit ends a wait that would have no end.
  @Test(.timeLimit(.minutes(30))) func aFailureIsToldBeforeTheCompaction() async throws {
    let engine = try Engine(MemoryStore(), settings: .building(5_000))
    let names = (0..<6).map { "f\($0)" }
    let (short, long) = (Value.integer(1), Value.string(String(repeating: "x", count: 1500)))
    for start in stride(from: 0, to: 10_000, by: 500) {
      _ = try engine.commit(
        (start..<start + 500).map { number in
          .set(ResourcePath(unchecked: ["c", "\(number)"]), MapValue(names.map { ($0, short) }))
        })
    }
    _ = try engine.commit([.set(ResourcePath("c/wide"), MapValue(names.map { ($0, long) }))])
    engine.builds.onDemand {}
    let wide = IndexDefinition(
      "c", names.map { IndexColumn(FieldPath(unchecked: [$0]), .ascending) })
    let number = try engine.builds.begin([wide])[0]
    let (refusals, refusal) = AsyncStream.makeStream(of: String?.self)
    Thread { refusal.yield(message { try engine.builds.wait(for: number) }) }.start()
    var told = refusals.makeAsyncIterator()
    #expect(await told.next() == "c/wide: Index entry is too large.")
    #expect(try engine.readView().catalog.droppedIDs.count == 1)
    #expect(try engine.builds.compactDropped())
    #expect(try engine.readView().catalog.droppedIDs.isEmpty)
    #expect(try engine.verify().isClean)
  }

  /// A caller that waits for a drop need not delete the last part of it. The limit ends a wait that
  /// would have no end.
  @Test(.timeLimit(.minutes(30))) func aWaiterForADropIsToldOfItsEndByAnothersStep() async throws {
    let second = SecondWaiter()
    // Half of them are in the collection. A drop with fewer keys is compacted with the last
    // deletion.
    var settings = EngineSettings.building(1_000)
    settings.build.dropKeyCount = 20_000
    let engine = try filled(
      ObservedStore(MemoryStore(), observer: second), count: 22_000, settings)
    let number = try engine.builds.begin([definition("c", "a", "b")])[0]
    while try engine.builds.status(of: number).entriesWritten < 10_000 {
      _ = try engine.builds.step()
    }
    try engine.builds.pause(number)
    engine.builds.onDemand {}
    let (refusals, refusal) = AsyncStream.makeStream(of: String?.self)
    second.start {
      refusal.yield(message { try engine.builds.wait(for: number) })
    }
    try engine.builds.cancel(number)
    var told = refusals.makeAsyncIterator()
    #expect(await told.next() == "The index was dropped before it was built.")
    #expect(try engine.readView().catalog.droppedIDs.count == 1)
    while try engine.builds.compactDropped() {}
    #expect(try engine.readView().catalog.droppedIDs.isEmpty)
  }

  /// An observer that makes another thread wait while a drop deletes.
  private final class SecondWaiter: StoreObserver {
    private let work = Lock<(@Sendable () -> Void)?>(nil)
    private let writeCount = Lock(0)

    func start(_ work: @escaping @Sendable () -> Void) { self.work.withLock { $0 = work } }

    func willPerform(_ operation: StoreOperation) {}

    /// Starts the other thread at the second write after `start`. The first one is the write of the
    /// drop itself.
    func willWrite(_ batch: StoreBatch, to store: any OrderedStore) {
      guard let work = work.withLock({ $0 }) else { return }
      let isDue = writeCount.withLock { count in
        count += 1
        return count == 2
      }
      guard isDue else { return }
      let isBegun = Lock(false)
      Thread {
        isBegun.withLock { $0 = true }
        work()
      }.start()
      // The other thread most likely waits for its turn when this thread continues.
      while !isBegun.withLock({ $0 }) { sched_yield() }
      for _ in 0..<1_000 { sched_yield() }
    }

    func didRead(byteCount: Int) {}
  }

  /// A caller's mistake elsewhere doesn't hold up a build.
  @Test func aStepInTheWrongPlaceIsNoObstacle() throws {
    let engine = try filled()
    let number = try engine.builds.begin([definition("c", "a", "b")])[0]
    let isOver = Lock(false)
    let watcher = BuildWatcher(tell: { _ in }, end: { isOver.withLock { $0 = true } })
    _ = engine.builds.watch(number, watcher)
    let attempt = LoneAttempt()
    let scope = try engine.beginTransaction(alone: attempt)
    LoneAttempt.run(attempt) {
      #expect(message { try engine.builds.wait(for: number) }?.contains("wait for itself") == true)
    }
    scope.rollback()
    #expect(!isOver.withLock { $0 })
    #expect(try engine.builds.status(of: number).error == nil)
    try finish(engine)
    #expect(try states(engine) == [.ready])
  }

  /// If no entry is too large by itself, the newest indexes are dropped until the document fits.
  @Test func theNewestIndexesFailThatMakeEntriesTooMany() throws {
    let engine = try Engine(MemoryStore())
    let tags = Value.array((0..<9_000).map { .integer($0) })
    _ = try engine.commit([.set(ResourcePath("c/tagged"), ["tags": tags, "a": 1, "b": 1])])
    let definitions = ["a", "b"].flatMap { name in
      [IndexMode.ascending, .descending].map { mode in
        IndexDefinition(
          "c",
          [
            IndexColumn(FieldPath(unchecked: ["tags"]), .contains),
            IndexColumn(FieldPath(unchecked: [name]), mode),
          ])
      }
    }
    _ = try engine.builds.begin(definitions)
    try finish(engine)
    // 18,000 automatic entries leave room for two indexes of 9,000 entries.
    #expect(try engine.builds.list().map(\.state) == [.ready, .ready, .failed, .failed])
    #expect(try engine.verify().isClean)
  }

  /// A build that adds no counted entries also succeeds on a document with too many entries.
  @Test func aTimeToLiveIsBuiltOfADocumentWithTooManyEntries() throws {
    let engine = try Engine(MemoryStore())
    let tags = Value.array((0..<19_000).map { .integer($0) })
    _ = try engine.commit([.set(ResourcePath("c/tagged"), ["tags": tags, "a": 1])])
    let columns = [
      IndexColumn(FieldPath(unchecked: ["tags"]), .contains),
      IndexColumn(FieldPath(unchecked: ["a"]), .ascending),
    ]
    try engine.builds.pause(try engine.builds.begin([IndexDefinition("c", columns)])[0])
    try engine.setTimeToLive("c", FieldPath(unchecked: ["a"])) { _ in }
    #expect(try engine.builds.list().map(\.state) == [.paused, .ready])
  }

  /// The failure is reported even though steps that take back the change still follow.
  @Test func anOverrideThatADocumentIsTooLargeForFails() throws {
    let engine = try Engine(MemoryStore())
    let tags = Value.array((0..<19_000).map { .integer($0) })
    _ = try engine.commit([.set(ResourcePath("c/tagged"), ["tags": tags])])
    let field = FieldPath(unchecked: ["tags"])
    let indexes = SingleFieldIndex.defaults + [SingleFieldIndex(.contains, scope: .collectionGroup)]
    #expect(code { try engine.setOverride("c", field, indexes) } == .invalidArgument)
    #expect(try engine.builds.list().map(\.state) == [.failed])
    #expect(try engine.readView().catalog.indexes.overrides.isEmpty)
    // The next change of the field is another build.
    try engine.setOverride("c", field, [])
    #expect(try engine.builds.list().map(\.state) == [.failed, .ready])
    #expect(try engine.verify().isClean)
  }

  // MARK: Status

  @Test func theStatusTellsHowFarItIs() throws {
    let clock = ManualClock()
    let engine = try filled(clock: clock)
    let number = try engine.builds.begin([definition("c", "a", "b")])[0]
    let begun = try engine.builds.status(of: number)
    #expect(begun.state == .building && begun.fraction == 0 && begun.documentsDone == 0)
    #expect(begun.documentsPerSecond == nil && !begun.isStalled)
    while try engine.builds.status(of: number).documentsDone < 250 {
      _ = try engine.builds.step()
      clock.advance(nanoseconds: 500_000_000)
    }
    let status = try engine.builds.status(of: number)
    #expect(status.documentsTotal > 490 && status.documentsTotal < 510)
    #expect(abs(status.fraction - 0.6) < 0.11)
    #expect(status.documentsPerSecond.map { $0 > 50 && $0 < 200 } == true)
    #expect(status.secondsLeft.map { $0 > 1 && $0 < 5 } == true)
    clock.advance(nanoseconds: 31_000_000_000)
    let stalled = try engine.builds.status(of: number)
    #expect(stalled.isStalled)
    try engine.builds.pause(number)
    #expect(try !engine.builds.status(of: number).isStalled)
  }

  enum Interruption: CaseIterable {
    case none, reopening, pause
  }

  /// Each step takes a second. The remaining time after the first chunk is then about right, also
  /// for a build that was interrupted or held up for an hour.
  @Test(arguments: Interruption.allCases)
  func theFirstTimeLeftIsAboutRight(_ interruption: Interruption) throws {
    let clock = ManualClock()
    let store = MemoryStore()
    var settings = EngineSettings.building(50)
    settings.build.stepDocumentCount = 10
    var engine = try Engine(store, settings: settings, clock: clock)
    for start in stride(from: 0, to: 1000, by: 100) {
      _ = try engine.commit(
        (start..<start + 100).map {
          .set(ResourcePath(unchecked: ["c", "\($0)"]), ["a": 1, "b": .integer(Int64($0))])
        })
    }
    var number = try engine.builds.begin([definition("c", "a", "b")])[0]
    func step() throws {
      _ = try engine.builds.step()
      clock.advance(nanoseconds: 1_000_000_000)
    }
    if interruption != .none {
      while try engine.builds.status(of: number).documentsDone < 500 { try step() }
    }
    switch interruption {
    case .none: break
    case .pause:
      try engine.builds.pause(number)
      clock.advance(nanoseconds: 3_600_000_000_000)
      #expect(try engine.builds.status(of: number).secondsLeft == nil)
      try engine.builds.resume(number)
    case .reopening:
      engine = try Engine(store, settings: settings, clock: clock)
      number = try #require(try engine.builds.list().last).number
    }
    let doneBefore = try engine.builds.status(of: number).documentsDone
    #expect(doneBefore == (interruption == .none ? 0 : 500))
    while try engine.builds.status(of: number).documentsDone == doneBefore { try step() }
    let estimate = try #require(try engine.builds.status(of: number).secondsLeft)
    let start = clock.monotonicNanoseconds()
    while try engine.builds.status(of: number).state == .building { try step() }
    let taken = Double(clock.monotonicNanoseconds() - start) / 1e9
    #expect(estimate > 0.7 * taken && estimate < 1.3 * taken, "\(estimate) s, and \(taken) s")
  }

  /// Progress doesn't include the work before the open: speed and remaining time would be wrong.
  @Test func theProgressOfABuildThatGoesOnBeginsAtNothing() throws {
    let store = MemoryStore()
    let first = try filled(store)
    let number = try first.builds.begin([definition("c", "a", "b")])[0]
    while try first.builds.status(of: number).documentsDone < 300 { _ = try first.builds.step() }
    let engine = try Engine(store, settings: .building(100))
    var progress: [BuildProgress] = []
    try engine.createIndex(definition("c", "a", "b")) { progress.append($0) }
    let total = try #require(progress.last).documentsTotal
    #expect(total >= 198 && total <= 202)
    #expect(progress.first?.documentsDone == 100 && progress.last?.documentsDone == 200)
  }

  @Test func aBuildThatWaitsForItsTurnHasNotStalled() throws {
    let clock = ManualClock()
    let engine = try filled(clock: clock)
    let first = try engine.builds.begin([definition("c", "a", "b")])[0]
    while try engine.builds.status(of: first).documentsDone == 0 { _ = try engine.builds.step() }
    let second = try engine.builds.begin([definition("c", "b", "a")])[0]
    clock.advance(nanoseconds: 31_000_000_000)
    #expect(try engine.builds.status(of: second).isStalled)
    _ = try engine.builds.step()
    #expect(try engine.builds.list().map(\.state) == [.building, .building])
    #expect(try !engine.builds.status(of: first).isStalled)
    #expect(try !engine.builds.status(of: second).isStalled)
  }

  @Test func watchersAreToldUpToTheEnd() throws {
    let engine = try filled()
    let number = try engine.builds.begin([definition("c", "a", "b")])[0]
    let told = Lock<[BuildStatus.State]>([])
    let hasEnded = Lock(false)
    _ = engine.builds.watch(
      number,
      BuildWatcher(
        tell: { status in told.withLock { $0.append(status.state) } },
        end: { hasEnded.withLock { $0 = true } }))
    try engine.builds.wait(for: number)
    #expect(told.withLock { $0.first } == .building)
    #expect(told.withLock { $0.last } == .ready)
    #expect(hasEnded.withLock { $0 })
  }
}

/// A clock that advances only when a test turns it, during a sleep, and a little each time that it
/// is read.
final class ManualClock: EngineClock {
  private let time = Lock<UInt64>(1_000_000_000)
  private let tick: UInt64

  /// - Parameter tick: the number of nanoseconds by which each read advances it.
  init(tick: UInt64 = 0) {
    self.tick = tick
  }

  func now() -> Timestamp { .minimum }

  func monotonicNanoseconds() -> UInt64 {
    time.withLock { time in
      time += tick
      return time
    }
  }

  func sleep(nanoseconds: UInt64) { advance(nanoseconds: nanoseconds) }
  func advance(nanoseconds: UInt64) { time.withLock { $0 += nanoseconds } }
}

extension MemoryStore {
  /// Returns all keys.
  func keys() throws -> [[UInt8]] {
    let cursor = try makeSnapshot().makeCursor()
    try cursor.seek(to: [])
    var keys: [[UInt8]] = []
    while cursor.isValid {
      keys.append([UInt8](copying: cursor.key))
      try cursor.next()
    }
    return keys
  }
}
