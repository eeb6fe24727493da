import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import HearthOrderedStore
import HearthQueryPlanning
import HearthReports
import TestSupport
import Testing

/// A clock that is set far ahead, by mistake or rightly, and the commit times that follow.
@Suite struct SteadyClockTests {
  private static let tenYears: Int64 = 315_360_000
  private static let start: Int64 = 1_700_000_000

  private let clock = SetClock(seconds: start)
  private let events = ClockEvents()
  private let store = MemoryStore()

  private func engine() throws -> Engine { try Engine(store, clock: clock, observer: events) }

  /// Commits and returns the time of the commit, in seconds since the beginning.
  private func commit(_ engine: Engine) throws -> Int64 {
    // The value differs each time: a write without a change keeps the time of the last commit.
    let number = Int64(try engine.readView().commitNumber)
    let result = try engine.commit([
      .set(ResourcePath(unchecked: ["c", "d"]), ["n": .integer(number)])
    ])
    let seconds = result.commitTime.seconds - Self.start
    #expect(try engine.readView().readTime == result.commitTime)
    return seconds
  }

  @Test func aJumpThatIsCorrectedHasNoEffectLater() throws {
    let engine = try engine()
    clock.pass(10)
    #expect(try commit(engine) == 10)
    clock.set(ahead: Self.tenYears)
    clock.pass(5)
    #expect(try commit(engine) == 15)
    clock.pass(200)
    #expect(try commit(engine) == 215)
    #expect(events.jumps == [.seconds(Self.tenYears)])
    clock.set(ahead: -Self.tenYears)
    clock.pass(600)
    #expect(try commit(engine) == 815)
    #expect(engine.commitTimeLead == nil && events.leads.isEmpty)
    // Each jump is reported.
    clock.set(ahead: Self.tenYears)
    #expect(try commit(engine) == 815)
    #expect(events.jumps.count == 2)
  }

  @Test func aJumpThatStaysIsFollowedAfterFiveMinutes() throws {
    let engine = try engine()
    clock.set(ahead: Self.tenYears)
    #expect(try commit(engine) == 0)
    clock.pass(299)
    #expect(try commit(engine) == 299)
    clock.pass(1)
    #expect(try commit(engine) == Self.tenYears + 300)
    clock.pass(7_200)
    #expect(try commit(engine) == Self.tenYears + 7_500)
    #expect(events.jumps.count == 1)
  }

  @Test func aClockThatIsSetAgainIsDoubtedAgain() throws {
    let engine = try engine()
    clock.set(ahead: Self.tenYears)
    #expect(try commit(engine) == 0)
    clock.pass(200)
    clock.set(ahead: Self.tenYears)
    #expect(try commit(engine) == 200)
    clock.pass(200)
    #expect(try commit(engine) == 400)
    clock.pass(100)
    #expect(try commit(engine) == 2 * Self.tenYears + 500)
    #expect(events.jumps == [.seconds(Self.tenYears), .seconds(2 * Self.tenYears)])
  }

  /// In one step, in several, and to a moment outside of all times.
  @Test(arguments: [[-7_200], [-3_600, -3_600], [300_000_000_000]])
  func aStepBackThatIsPutRightIsOverAtOnce(steps: [Int64]) throws {
    let engine = try Engine(store, history: HistoryLimits(), clock: clock, observer: events)
    clock.pass(10)
    #expect(try commit(engine) == 10)
    for step in steps {
      clock.set(ahead: step)
      clock.pass(10)
      #expect(try commit(engine) == 10)
    }
    clock.set(ahead: -steps.reduce(0, +))
    let present = Int64(10 + 10 * steps.count)
    _ = try engine.readView(at: Timestamp(seconds: Self.start + present, nanoseconds: 0))
    #expect(try commit(engine) == present)
    #expect(events.jumps.isEmpty)
    // A step further back is in doubt, as before.
    clock.set(ahead: -7_200)
    #expect(try commit(engine) == present)
    clock.set(ahead: 7_200 + Self.tenYears)
    #expect(try commit(engine) == present)
    #expect(events.jumps == [.seconds(7_200 + Self.tenYears)])
  }

  /// Either a commit or the query itself finds the jump.
  @Test(arguments: [true, false])
  func theUseOfAnIndexIsNotOfTheYearOfAJump(commitsMeanwhile: Bool) throws {
    let engine = try engine()
    _ = try commit(engine)
    clock.set(ahead: Self.tenYears)
    clock.pass(5)
    if commitsMeanwhile { _ = try commit(engine) }
    #expect(try useOfNames(engine) == 5)
    #expect(events.jumps == [.seconds(Self.tenYears)])
    clock.set(ahead: -Self.tenYears)
    clock.pass(5)
    #expect(try useOfNames(engine) == 10)
  }

  /// Returns the recorded time of a query that is run now, in seconds since the beginning.
  private func useOfNames(_ engine: Engine) throws -> Int64? {
    _ = try engine.readView().run(StructuredQuery(collectionID: "c"))
    let row = try engine.statistics(countingEntries: false).indexes.first { $0.kind == .names }
    return try #require(row).lastQueryTime.map { $0.seconds - Self.start }
  }

  /// Years without a write are no jump.
  @Test func timeThatPassesIsFollowed() throws {
    let engine = try engine()
    clock.pass(Self.tenYears)
    #expect(try commit(engine) == Self.tenYears)
    #expect(events.jumps.isEmpty)
  }

  @Test func aSmallJumpIsOverWhenTheTimeHasCome() throws {
    let engine = try engine()
    clock.set(ahead: 3_600)
    #expect(try commit(engine) == 3_600)
    clock.set(ahead: -3_600)
    clock.pass(1_800)
    #expect(engine.commitTimeLead == .seconds(1_800))
    #expect(try commit(engine) == 3_600)
    #expect(try commit(engine) == 3_600)
    clock.pass(1_800)
    #expect(engine.commitTimeLead == nil)
    #expect(try commit(engine) == 3_600)
    clock.pass(1)
    #expect(try commit(engine) == 3_601)
    #expect(events.jumps.isEmpty)
    #expect(events.leads.count == 1, "it is told once")
  }

  /// A clock that was wrong from the open on is reported at the next open.
  @Test func aLeadIsKnownAtTheOpen() throws {
    clock.set(ahead: Self.tenYears)
    #expect(try commit(engine()) == Self.tenYears)
    clock.set(ahead: -Self.tenYears)
    let engine = try engine()
    #expect(engine.commitTimeLead == .seconds(Self.tenYears))
    #expect(
      try engine.statistics(countingEntries: false).commitTimeLead == .seconds(Self.tenYears))
    #expect(try commit(engine) == Self.tenYears)
    #expect(events.leads.isEmpty, "whoever opens it tells it")
  }

  @Test func aJumpDoesNotExpireDocuments() throws {
    let engine = try engine()
    let expiry = FieldPath(unchecked: ["at"])
    try engine.setTimeToLive("c", expiry) { _ in }
    let time = try Timestamp(seconds: Self.start + 86_400, nanoseconds: 0)
    _ = try engine.commit([.set(ResourcePath(unchecked: ["c", "d"]), ["at": .timestamp(time)])])
    clock.set(ahead: Self.tenYears)
    #expect(try sweep(engine) == 0)
    clock.set(ahead: -Self.tenYears)
    clock.pass(86_401)
    #expect(try sweep(engine) == 1)
  }

  /// A sandbox may have no such clock: 1,000 is no clock's number.
  @Test func withoutAClockForWhatHasPassedTheOtherIsFollowed() {
    #expect(SystemClock().elapsedMicroseconds() != nil)
    #expect(SystemClock(elapsedClock: 1_000).elapsedMicroseconds() == nil)
  }

  private func sweep(_ engine: Engine) throws -> Int {
    var sweep = TimeToLiveSweep(engine, documentCountLimit: 100)
    var count = 0
    while true {
      let advance = try sweep.step()
      guard !advance.isDone else { return count }
      count += advance.documentCount
    }
  }

  @Test func aReadInTheFutureOfTheTrueTimeIsRefused() throws {
    let engine = try Engine(store, history: HistoryLimits(), clock: clock, observer: events)
    _ = try commit(engine)
    clock.set(ahead: Self.tenYears)
    let time = try Timestamp(seconds: Self.start + 100, nanoseconds: 0)
    #expect(code { _ = try engine.readView(at: time) } == .invalidArgument)
    clock.pass(100)
    _ = try engine.readView(at: time)
  }
}

/// A clock that tests set, and the time that passes.
private final class SetClock: EngineClock {
  private let state: Lock<(time: Int64, elapsed: Int64)>

  init(seconds: Int64) {
    state = Lock((seconds * 1_000_000, 12_345))
  }

  func now() -> Timestamp {
    (try? Timestamp(microseconds: state.withLock { $0.time })) ?? .minimum
  }
  func elapsedMicroseconds() -> Int64? { state.withLock { $0.elapsed } }

  func pass(_ seconds: Int64) {
    state.withLock { state in
      state.time += seconds * 1_000_000
      state.elapsed += seconds * 1_000_000
    }
  }

  func set(ahead seconds: Int64) { state.withLock { $0.time += seconds * 1_000_000 } }
}

private final class ClockEvents: EngineObserver {
  private let recorded = Lock<(jumps: [Duration], leads: [Duration])>(([], []))

  var jumps: [Duration] { recorded.withLock { $0.jumps } }
  var leads: [Duration] { recorded.withLock { $0.leads } }

  func observe(_ event: EngineEvent) {
    recorded.withLock { recorded in
      switch event {
      case .clockSetAhead(let jump): recorded.jumps.append(jump)
      case .commitTimesLead(let lead): recorded.leads.append(lead)
      default: break
      }
    }
  }
}
