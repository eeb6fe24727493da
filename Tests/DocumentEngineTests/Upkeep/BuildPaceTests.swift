import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import HearthOrderedStore
import HearthQueryPlanning
import HearthReports
import Testing

/// The pace of builds, by a clock that the tests turn.
@Suite struct BuildPaceTests {
  private func filled(_ clock: ManualClock) throws -> Engine {
    var settings = EngineSettings()
    settings.build.chunkDocumentCount = 100
    settings.build.stepDocumentCount = 20
    let engine = try Engine(MemoryStore(), settings: settings, clock: clock)
    for start in stride(from: 0, to: 2000, by: 100) {
      _ = try engine.commit(
        (start..<start + 100).map { number in
          .set(
            ResourcePath(unchecked: ["c", "\(number)"]),
            ["a": .integer(Int64(number % 7)), "b": .integer(Int64(number))])
        })
    }
    _ = try engine.builds.begin([
      IndexDefinition("c", ["a", "b"].map { IndexColumn(FieldPath(unchecked: [$0]), .ascending) })
    ])
    return engine
  }

  /// Makes all steps and sleeps for the returned times; calls `body` before each step.
  private func seconds(
    _ engine: Engine, _ clock: ManualClock, _ body: () throws -> Void = {}
  ) throws -> Double {
    let start = clock.monotonicNanoseconds()
    while true {
      try body()
      guard let wait = try engine.builds.step() else { break }
      if wait > .zero { clock.sleep(nanoseconds: UInt64(wait / .nanoseconds(1))) }
    }
    return Double(clock.monotonicNanoseconds() - start) / 1e9
  }

  @Test func withoutALimitNoBuildWaits() throws {
    let clock = ManualClock()
    let engine = try filled(clock)
    #expect(try seconds(engine, clock) == 0)
  }

  @Test func aRateIsKept() throws {
    let clock = ManualClock()
    let engine = try filled(clock)
    try engine.builds.setPace(BuildPace(documentsPerSecond: 100))
    let taken = try seconds(engine, clock)
    #expect(taken > 19.5 && taken < 20.5)
    // The pace applied to the builds of that time only.
    #expect(engine.builds.pace == .unlimited)
    #expect(try engine.verify().isClean)
  }

  @Test func aDropLeavesTheWaitAsItWas() throws {
    let clock = ManualClock()
    let engine = try filled(clock)
    let other = IndexDefinition(
      "d", ["a", "b"].map { IndexColumn(FieldPath(unchecked: [$0]), .ascending) })
    _ = try engine.builds.begin([other])
    try engine.builds.setPace(BuildPace(documentsPerSecond: 10))
    let wait = try #require(try engine.builds.step())
    #expect(wait > .milliseconds(50))
    try engine.dropIndex(other)
    let rest = try #require(try engine.builds.step())
    #expect(rest > wait - .milliseconds(50))
  }

  @Test func aStoppedBuildDoesNotWaitForItsPace() throws {
    let engine = try filled(ManualClock())
    try engine.builds.setPace(BuildPace(documentsPerSecond: 1))
    #expect(try engine.builds.step().map { $0 > .zero } == true)
    engine.builds.stop()
    #expect(code { _ = try engine.builds.step() } == .failedPrecondition)
  }

  @Test(arguments: [-Double.infinity, .infinity, .nan, 1e300, 0, -1, 0.01])
  func aRateThatIsNoneIsRefused(_ rate: Double) throws {
    let engine = try filled(ManualClock())
    #expect(
      code { try engine.builds.setPace(BuildPace(documentsPerSecond: rate)) } == .invalidArgument)
    #expect(engine.builds.pace == .unlimited)
  }

  @Test func theRateCanBeChangedMeanwhile() throws {
    let clock = ManualClock()
    let engine = try filled(clock)
    try engine.builds.setPace(BuildPace(documentsPerSecond: 100))
    var stepCount = 0
    let taken = try seconds(engine, clock) {
      stepCount += 1
      if stepCount == 100 { try engine.builds.setPace(.unlimited) }
    }
    #expect(taken > 8 && taken < 12)
  }

  /// If operations take longer than wanted, the build waits for several times as long as it works.
  @Test func aBuildGivesWayToASlowApplication() throws {
    func taken(latency: UInt64) throws -> Double {
      let clock = ManualClock(tick: 2_000_000)
      let engine = try filled(clock)
      try engine.builds.setPace(BuildPace(maximumLatency: .milliseconds(10)))
      return try seconds(engine, clock) {
        for _ in 0..<20 where engine.latencies.isMeasuring {
          engine.latencies.record(nanoseconds: latency)
        }
      }
    }
    let fast = try taken(latency: 5_000_000)
    let slow = try taken(latency: 20_000_000)
    #expect(slow > 5 * fast)
  }

  /// An application that is always slower than wanted slows the build down to the floor and no
  /// further: a hundred documents per second, and a chunk every few seconds.
  @Test func aBuildAlwaysMoves() throws {
    // A step reads the clock some ten times, so it takes about a fifth of a second.
    let clock = ManualClock(tick: 20_000_000)
    let engine = try Engine(MemoryStore(), clock: clock)
    for start in stride(from: 0, to: 16_000, by: 500) {
      _ = try engine.commit((start..<start + 500).map(document))
    }
    try engine.builds.setPace(BuildPace(maximumLatency: .milliseconds(10)))
    let number = try engine.builds.begin([index])[0]
    var moves: [(documentCount: Int, time: UInt64)] = [(0, clock.monotonicNanoseconds())]
    var floorStart: UInt64?
    while true {
      let status = try engine.builds.status(of: number)
      let time = clock.monotonicNanoseconds()
      if status.documentsDone > moves[moves.count - 1].documentCount {
        moves.append((status.documentsDone, time))
      }
      guard status.state == .building else { break }
      for _ in 0..<20 { engine.latencies.record(nanoseconds: 20_000_000) }
      // A document in a hundred changes while it is indexed.
      _ = try engine.commit([.delete(path(status.documentsDone / 100 * 100))])
      guard let wait = try engine.builds.step() else { break }
      #expect(wait <= .milliseconds(250))
      // A part of the longest wait has passed by the time of this call.
      if floorStart == nil, wait > .milliseconds(150) { floorStart = time }
      if wait > .zero { clock.sleep(nanoseconds: UInt64(wait / .nanoseconds(1))) }
    }
    for (last, next) in zip(moves, moves.dropFirst()) {
      let seconds = Double(next.time - last.time) / 1e9
      #expect(seconds < 10, "it stood for \(seconds) s behind \(last.documentCount) documents")
    }
    let floor = try #require(floorStart)
    let slow = moves.filter { $0.time > floor }
    let (first, last) = try (#require(slow.first), #require(slow.last))
    let documentCount = last.documentCount - first.documentCount
    #expect(documentCount > 2_000, "it was at the floor for too short")
    let rate = Double(documentCount) / (Double(last.time - first.time) / 1e9)
    #expect(rate >= 100 && rate < 1_000, "\(rate) documents a second")
  }

  /// Documents that were read at a faster pace are written in a great many steps.
  @Test func aPaceHoldsForWhatIsReadAlready() throws {
    let clock = ManualClock(tick: 10_000_000)
    var settings = EngineSettings()
    settings.build.batchByteCount = 1 << 10
    let engine = try Engine(MemoryStore(), settings: settings, clock: clock)
    for start in stride(from: 0, to: 4000, by: 500) {
      _ = try engine.commit((start..<start + 500).map(document))
    }
    let number = try engine.builds.begin([index])[0]
    for _ in 0..<4000 / settings.build.stepDocumentCount + 1 { _ = try engine.builds.step() }
    var last = (documentsDone: 0, time: clock.monotonicNanoseconds())
    #expect(try engine.builds.status(of: number).documentsDone == 0)
    try engine.builds.setPace(BuildPace(maximumLatency: .milliseconds(10)))
    while let wait = try engine.builds.step() {
      for _ in 0..<20 { engine.latencies.record(nanoseconds: 20_000_000) }
      if wait > .zero { clock.sleep(nanoseconds: UInt64(wait / .nanoseconds(1))) }
      let documentsDone = try engine.builds.status(of: number).documentsDone
      guard documentsDone > last.documentsDone else { continue }
      let time = clock.monotonicNanoseconds()
      #expect(time - last.time < 10_000_000_000, "it stood behind \(last.documentsDone) documents")
      last = (documentsDone, time)
    }
    #expect(last.documentsDone == 4000)
    #expect(try engine.verify().isClean)
  }

  private func path(_ number: Int) -> ResourcePath {
    ResourcePath(unchecked: ["c", "\(number)"])
  }

  private func document(_ number: Int) -> Write {
    .set(path(number), ["a": .integer(Int64(number % 7)), "b": .integer(Int64(number))])
  }

  private var index: IndexDefinition {
    IndexDefinition("c", ["a", "b"].map { IndexColumn(FieldPath(unchecked: [$0]), .ascending) })
  }

  @Test func latenciesAreNotMeasuredWithoutATarget() throws {
    let clock = ManualClock()
    let engine = try filled(clock)
    _ = try engine.builds.step()
    #expect(!engine.latencies.isMeasuring)
    try engine.builds.setPace(BuildPace(maximumLatency: .milliseconds(10)))
    _ = try engine.builds.step()
    #expect(engine.latencies.isMeasuring)
    _ = try seconds(engine, clock)
    #expect(!engine.latencies.isMeasuring)
  }
}
