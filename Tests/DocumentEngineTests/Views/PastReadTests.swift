import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import Glibc
import HearthOrderedStore
import HearthQueryPlanning
import TestSupport
import Testing

/// Reads at an earlier time (§7.5).
@Suite struct PastReadTests {
  private static let tooOld = "The requested 'read_time' is too old."

  private let store = SnapshotLedger()

  private func fixture(
    _ history: HistoryLimits? = HistoryLimits()
  ) throws -> EngineFixture {
    let fixture = try EngineFixture(store, history: history)
    fixture.clock.turn(to: try time(1_000_000))
    return fixture
  }

  private func time(_ microseconds: Int64) throws -> Timestamp {
    try Timestamp(microseconds: microseconds)
  }

  private func number(_ fixture: EngineFixture, at time: Timestamp) throws -> Value? {
    let view = try fixture.engine.readView(at: time)
    return try view.document(at: ResourcePath("c/a"))?.value(at: FieldPath("n"))
  }

  @Test func everyMomentIsRead() throws {
    let fixture = try fixture()
    try fixture.set("c/a", ["n": 1])
    fixture.clock.turn(to: try time(2_000_000))
    try fixture.set("c/a", ["n": 2])
    fixture.clock.turn(to: try time(3_000_000))
    _ = try fixture.engine.commit([.delete(ResourcePath("c/a"))])
    fixture.clock.turn(to: try time(4_000_000))
    #expect(try number(fixture, at: time(999_999)) == nil)
    for (microseconds, expected) in [
      (1_000_000, 1), (1_999_999, 1), (2_000_000, 2), (2_999_999, 2),
    ] as [(Int64, Value)] {
      #expect(try number(fixture, at: time(microseconds)) == expected, "\(microseconds)")
    }
    #expect(try number(fixture, at: time(3_000_000)) == nil)
    #expect(try number(fixture, at: time(4_000_000)) == nil)
    #expect(try fixture.engine.readView(at: time(2_500_000)).readTime == time(2_000_000))
    #expect(try fixture.engine.readView().readTime == time(3_000_000))
  }

  @Test func laterCommitsAreLaterThanThePresentTime() throws {
    let fixture = try fixture()
    try fixture.set("c/a", ["n": 1])
    fixture.clock.turn(to: try time(2_000_000))
    // The clock stands still, and then is set back.
    #expect(try fixture.engine.presentTime() == time(2_000_000))
    let second = try fixture.set("c/a", ["n": 2])
    #expect(second.commitTime == (try time(2_000_001)))
    #expect(try fixture.engine.presentTime() == time(2_000_001))
    fixture.clock.turn(to: try time(1_500_000))
    #expect(try fixture.engine.presentTime() == time(2_000_001))
  }

  @Test func aCommitThatChangesNothingEndsNoMoment() throws {
    let fixture = try fixture()
    try fixture.set("c/a", ["n": 1])
    fixture.clock.turn(to: try time(2_000_000))
    let same = try fixture.set("c/a", ["n": 1])
    #expect(same.commitTime == (try time(2_000_000)))
    fixture.clock.turn(to: try time(3_000_000))
    try fixture.set("c/a", ["n": 2])
    for microseconds in [1_000_000, 1_500_000, 2_000_000, 2_999_999] as [Int64] {
      #expect(try number(fixture, at: time(microseconds)) == 1)
    }
  }

  @Test func timesThatCannotBeReadAtAreRefused() throws {
    let fixture = try fixture()
    try fixture.set("c/a", ["n": 1])
    #expect(
      message { _ = try fixture.engine.readView(at: time(1_000_001)) }
        == "The requested 'read_time' cannot be in the future.")
    #expect(code { _ = try fixture.engine.readView(at: .maximum) } == .invalidArgument)
    // Commits run ahead of a clock that stands still, and can be read nevertheless.
    let second = try fixture.set("c/a", ["n": 2]).commitTime
    #expect(try number(fixture, at: second) == 2)

    let clock = TestClock()
    clock.turn(to: try time(5_000_000))
    let founded = try Engine(MemoryStore(), clock: clock)
    #expect(
      message { _ = try founded.readView(at: time(4_999_999)) }
        == "The requested 'read_time' cannot be before database creation time.")
    #expect(try founded.readView(at: time(5_000_000)).document(at: ResourcePath("c/a")) == nil)
  }

  @Test func withoutAHistoryOnlyThePresentIsRead() throws {
    let fixture = try fixture(nil)
    try fixture.set("c/a", ["n": 1])
    fixture.clock.turn(to: try time(2_000_000))
    #expect(try number(fixture, at: time(1_000_000)) == 1)
    try fixture.set("c/a", ["n": 2])
    #expect(try number(fixture, at: time(2_000_000)) == 2)
    #expect(
      message { _ = try fixture.engine.readView(at: time(1_999_999)) } == PastReadTests.tooOld)
    #expect(code { _ = try fixture.engine.readView(at: time(1)) } == .failedPrecondition)
    #expect(store.snapshotCount <= 1, "nothing but the present is held")
  }

  @Test func thePastBeginsWithTheOpening() throws {
    let first = try fixture()
    try first.set("c/a", ["n": 1])
    try first.set("c/a", ["n": 2])
    let reopened = try fixture()
    reopened.clock.turn(to: try time(9_000_000))
    #expect(
      message { _ = try reopened.engine.readView(at: time(1_000_000)) } == PastReadTests.tooOld)
    try reopened.set("c/a", ["n": 3])
    #expect(try number(reopened, at: time(1_000_001)) == 2)
  }

  // MARK: Bounds

  private func commit(_ count: Int, in fixture: EngineFixture) throws {
    for number in 1...count {
      fixture.clock.turn(to: try time(Int64(number) * 1_000_000))
      try fixture.set("c/a", ["n": .integer(Int64(number))])
    }
  }

  @Test func theNumberOfSnapshotsIsBounded() throws {
    let fixture = try fixture(HistoryLimits(snapshotCount: 3))
    try commit(10, in: fixture)
    #expect(store.snapshotCount == 3)
    #expect(try number(fixture, at: time(7_000_000)) == 7)
    #expect(
      message { _ = try fixture.engine.readView(at: time(6_999_999)) } == PastReadTests.tooOld)
  }

  @Test func theAgeIsBounded() throws {
    let fixture = try fixture(HistoryLimits(retention: .seconds(2)))
    try commit(10, in: fixture)
    #expect(store.snapshotCount == 2)
    #expect(try number(fixture, at: time(8_000_000)) == 8)
    #expect(
      message { _ = try fixture.engine.readView(at: time(7_999_999)) } == PastReadTests.tooOld)
    // The clock advances without commits: first a part of a moment is too old, then all of it.
    fixture.clock.turn(to: try time(11_500_000))
    #expect(
      message { _ = try fixture.engine.readView(at: time(9_499_999)) } == PastReadTests.tooOld)
    #expect(try number(fixture, at: time(9_500_000)) == 9)
    fixture.clock.turn(to: try time(20_000_000))
    try fixture.engine.compact()
    #expect(store.snapshotCount == 0)
    #expect(try number(fixture, at: time(10_000_000)) == 10, "the present")
  }

  @Test func theBytesAreBounded() throws {
    let fixture = try fixture(HistoryLimits(byteCount: 50_000))
    for number in 1...20 {
      fixture.clock.turn(to: try time(Int64(number) * 1_000_000))
      // About 12,000 bytes: the document, and its entries of at most 1,500.
      try fixture.set(
        "c/a",
        [
          "n": .integer(Int64(number)),
          "blob": .bytes(.init(repeating: UInt8(number), count: 8_000)),
        ])
    }
    #expect((2...5).contains(store.snapshotCount), "\(store.snapshotCount)")
    #expect(try number(fixture, at: time(19_000_000)) == 19)
    // One commit of more than the limit: nothing before it can be kept.
    try fixture.set("c/b", ["blob": .bytes(.init(repeating: 1, count: 60_000))])
    #expect(store.snapshotCount == 0)
  }

  @Test func nothingIsKeptForLimitsOfNothing() throws {
    for limits in [
      HistoryLimits(retention: .seconds(-1)), HistoryLimits(snapshotCount: -1),
      HistoryLimits(byteCount: -1),
    ] {
      let fixture = try fixture(limits)
      try commit(3, in: fixture)
      #expect(store.snapshotCount == 0)
    }
    let forever = try EngineFixture(history: HistoryLimits(retention: .seconds(Int64.max)))
    try commit(3, in: forever)
    #expect(try number(forever, at: time(1_000_000)) != nil)
  }

  @Test func closingReleasesEverything() throws {
    let fixture = try fixture()
    try commit(5, in: fixture)
    #expect(store.snapshotCount == 5)
    try fixture.engine.close()
    #expect(store.snapshotCount == 0)
    #expect(code { _ = try fixture.engine.readView(at: time(3_000_000)) } == .failedPrecondition)
  }

  @Test func aViewOutlivesItsMoment() throws {
    let fixture = try fixture(HistoryLimits(snapshotCount: 1))
    try commit(3, in: fixture)
    let view = try fixture.engine.readView(at: time(2_000_000))
    try commit(9, in: fixture)
    #expect(try view.document(at: ResourcePath("c/a"))?.fields() == ["n": 2])
    #expect(store.snapshotCount == 2)
  }

  // MARK: Indexes

  @Test func anIndexIsUsedWhereItWasReady() throws {
    let fixture = try fixture()
    let index = IndexDefinition(
      "c",
      [
        IndexColumn(try FieldPath("k"), .ascending), IndexColumn(try FieldPath("n"), .ascending),
      ])
    let query = StructuredQuery(
      collectionID: "c", filter: .field(try FieldPath("k"), .equal, 1),
      orders: [Order(try FieldPath("n"))])
    func names(at time: Timestamp) throws -> [String] {
      let execution = try fixture.engine.readView(at: time).run(query)
      var names: [String] = []
      while let record = try execution.nextDocument() { names.append("\(record.path)") }
      return names
    }
    try fixture.set("c/a", ["k": 1, "n": 1])
    let before = try fixture.set("c/b", ["k": 1, "n": 2]).commitTime
    try fixture.engine.createIndex(index)
    let ready = try fixture.engine.readView().readTime
    let building = try Timestamp(microseconds: ready.microseconds - 1)
    let both = try fixture.set("c/c", ["k": 1, "n": 3]).commitTime
    try fixture.engine.dropIndex(index)
    let dropped = try fixture.engine.readView().readTime
    try fixture.set("c/d", ["k": 1, "n": 4])

    for time in [before, building, dropped] {
      #expect(message { _ = try names(at: time) }?.contains("requires an index") == true)
    }
    #expect(try names(at: ready) == ["c/a", "c/b"])
    #expect(try names(at: both) == ["c/a", "c/b", "c/c"])
  }

  // MARK: Reads during a commit

  @Test func aCommitOnItsWayIsNotInItsPast() throws {
    let fixture = try fixture()
    try fixture.set("c/a", ["n": 1])
    fixture.clock.turn(to: try time(2_000_000))
    // The store has the new commit, but no reader has been told yet.
    let seen = Lock<Result<Value?, any Error>?>(nil)
    store.afterNextWrite {
      let result = Result { try number(fixture, at: time(1_500_000)) }
      seen.withLock { $0 = result }
    }
    try fixture.set("c/a", ["n": 2])
    #expect(try seen.withLock { $0 }?.get() == 1)
  }

  @Test func noLaterCommitComesBeforeWhatWasRead() throws {
    let fixture = try fixture()
    try fixture.set("c/a", ["n": 1])
    fixture.clock.turn(to: try time(5_000_000))
    #expect(try number(fixture, at: time(4_000_000)) == 1)
    // The clock is set back to before the read.
    fixture.clock.turn(to: try time(2_000_000))
    #expect(try fixture.set("c/a", ["n": 2]).commitTime == time(4_000_001))
    #expect(try number(fixture, at: time(4_000_000)) == 1)
  }

  @Test func readersOfAnInstantAgree() throws {
    let fixture = try fixture()
    try fixture.set("c/a", ["n": 0])
    // Two readers of one time get the same answer while commits go on. Separate threads: a writer
    // that never waits would hold up readers among the tasks.
    let answers = Lock<[[Int64: Value]]>([])
    try onThreads(4) { thread in
      guard thread > 0 else {
        var count: Int64 = 0
        while answers.withLock({ $0.count }) < 3 {
          count += 1
          try fixture.set("c/a", ["n": .integer(count)])
        }
        return
      }
      var seen: [Int64: Value] = [:]
      defer { answers.withLock { [seen] in $0.append(seen) } }
      for _ in 0..<1_000 {
        let next = try fixture.engine.readView().readTime.microseconds + 1
        for microseconds in [next - 1, next] {
          seen[microseconds] = try? number(fixture, at: Timestamp(microseconds: microseconds))
        }
      }
    }
    var agreed: [Int64: Value] = [:]
    for (microseconds, value) in answers.withLock({ $0 }).flatMap(\.self) {
      #expect(agreed.updateValue(value, forKey: microseconds) ?? value == value)
    }
    #expect(!agreed.isEmpty)
  }
}

/// A store in memory that counts its held snapshots.
private final class SnapshotLedger: OrderedStore {
  private struct State {
    var hook: (@Sendable () -> Void)?
  }

  private let store = MemoryStore()
  private let held = Lock(0)
  private let state = Lock(State())

  /// Number of snapshots that are held.
  var snapshotCount: Int { held.withLock { $0 } }

  /// Calls `body` once after the next write, before the writer learns of its end.
  func afterNextWrite(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.hook = body } }

  var isDurable: Bool { store.isDurable }

  func makeSnapshot() throws(StoreError) -> any StoreSnapshot {
    LedgerSnapshot(try store.makeSnapshot(), held)
  }

  func write(_ batch: StoreBatch) throws(StoreError) {
    try store.write(batch)
    let hook = state.withLock { state in
      defer { state.hook = nil }
      return state.hook
    }
    hook?()
  }

  func compact(from lower: [UInt8]?, to upper: [UInt8]?) throws(StoreError) -> Bool {
    try store.compact(from: lower, to: upper)
  }

  func approximateByteCount(from lower: [UInt8], to upper: [UInt8]) throws(StoreError) -> Int {
    try store.approximateByteCount(from: lower, to: upper)
  }

  func close() throws(StoreError) { try store.close() }
}

private final class LedgerSnapshot: StoreSnapshot {
  private let snapshot: any StoreSnapshot
  private let held: Lock<Int>

  init(_ snapshot: any StoreSnapshot, _ held: Lock<Int>) {
    self.snapshot = snapshot
    self.held = held
    held.withLock { $0 += 1 }
  }

  deinit { held.withLock { $0 -= 1 } }

  func value(of key: [UInt8]) throws(StoreError) -> [UInt8]? { try snapshot.value(of: key) }
  func makeCursor() throws(StoreError) -> any StoreCursor { try snapshot.makeCursor() }
}
