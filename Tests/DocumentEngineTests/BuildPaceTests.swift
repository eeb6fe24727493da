import DocumentEngine
import DocumentModel
import OrderedStore
import QueryPlanning
import Testing

/// How fast builds go, by a clock that the tests turn.
@Suite struct BuildPaceTests {
  private func filled(_ clock: ManualClock) throws -> Engine {
    var settings = Engine.Settings()
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

  /// Makes all steps, and sleeps as it is told; calls `body` before each.
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

  @Test func withoutALimitNobodyWaits() throws {
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
    // It was for the builds that there were.
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

  /// What takes longer than wanted makes the build wait for several times as long as it works.
  @Test func aBuildGivesWayToASlowApplication() throws {
    func taken(latency: UInt64) throws -> Double {
      let clock = ManualClock(tick: 20_000_000)
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

  @Test func nothingIsMeasuredWithoutATarget() throws {
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
