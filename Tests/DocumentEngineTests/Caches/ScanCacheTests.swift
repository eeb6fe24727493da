import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import HearthOrderedStore
import HearthQueryPlanning
import HearthReports
import TestSupport
import Testing

/// Index scans that are kept in memory: they are used, they are right for every view, and they stay
/// within bounds.
@Suite struct ScanCacheTests {
  private static func field(_ name: String) -> FieldPath { FieldPath(unchecked: [name]) }

  private static func equal(_ values: (String, Value)...) -> StructuredQuery {
    StructuredQuery(
      collectionID: "t", filter: .and(values.map { .field(field($0.0), .equal, $0.1) }))
  }

  private static func task(_ number: Int, done: Bool) -> Write {
    // Names in another order than numbers.
    let name = String((100_000 + number * 7919 % 99_991))
    return .set(
      ResourcePath(unchecked: ["t", name]),
      [
        "user": .integer(Int64(number % 30)), "done": .boolean(done),
        "level": .integer(Int64(number % 3)),
      ])
  }

  /// Returns an engine with 3,000 tasks of 30 users, every second one done.
  private static func filled(
    _ settings: EngineSettings = EngineSettings()
  ) throws -> Engine {
    let engine = try Engine(MemoryStore(), settings: settings)
    for start in stride(from: 0, to: 3000, by: 500) {
      _ = try engine.commit((start..<start + 500).map { task($0, done: $0 / 30 % 2 == 0) })
    }
    return engine
  }

  private func answer(
    _ query: StructuredQuery, in view: ReadView
  ) throws -> (names: [String], statistics: ExecutionStatistics, scans: [ScanStatistics]) {
    let execution = try view.run(query)
    var names: [String] = []
    while let document = try execution.nextDocument() {
      names.append(try document.document().path.description)
    }
    return (names, execution.statistics, execution.scanStatistics.flatMap { $0 })
  }

  private static let query = equal(("user", 8), ("done", true), ("level", 2))

  @Test func aJoinComesToBeAnsweredFromMemory() throws {
    let engine = try Self.filled()
    let first = try answer(Self.query, in: engine.readView())
    #expect(first.names.count == 50 && first.statistics.entriesCached == 0)
    // The zig-zag follows the user's entries.
    #expect(first.scans.map(\.entriesRead).max() ?? 0 <= 250)
    for _ in 0..<40 {
      #expect(try answer(Self.query, in: engine.readView()).names == first.names)
    }
    let last = try answer(Self.query, in: engine.readView())
    #expect(last.names == first.names && last.names == last.names.sorted())
    #expect(last.statistics.entriesRead == 100 && last.statistics.entriesCached == 100)
    #expect(last.statistics.seekCount == 0)
    // The third scan also tests the 50 tasks that are done.
    #expect(last.statistics.testCount >= 150 && last.statistics.testCount <= 200)
    // Another user's entries are walked in the store, and tested in memory.
    let other = try answer(
      Self.equal(("user", 11), ("done", true), ("level", 2)), in: engine.readView())
    #expect(other.names.count == 50 && other.statistics.seekCount <= 1)
    #expect(other.statistics.entriesRead <= 101 && other.statistics.testCount >= 150)
    #expect(engine.scanCacheStatistics.scanCount >= 3)
  }

  @Test func aScanOfItsOwnIsWalkedInMemory() throws {
    let engine = try Self.filled()
    let query = Self.equal(("user", 8))
    let first = try answer(query, in: engine.readView())
    for _ in 0..<4 { _ = try answer(query, in: engine.readView()) }
    let last = try answer(query, in: engine.readView())
    #expect(last.names == first.names && first.names.count == 100)
    #expect(last.statistics.entriesCached == 100 && last.statistics.seekCount == 0)
  }

  @Test func keptScansAreRightForEveryView() throws {
    let engine = try Self.filled(.keepingScansAtOnce)
    let before = try engine.readView()
    for _ in 0..<30 { _ = try answer(Self.query, in: before) }
    let names = try answer(Self.query, in: before).names
    // One task that was not done, one that was, and a new one.
    _ = try engine.commit([
      Self.task(38, done: true), Self.task(8, done: false), Self.task(30_008, done: true),
    ])
    let after = try engine.readView()
    let now = try answer(Self.query, in: after)
    #expect(now.statistics.entriesCached == now.statistics.entriesRead)
    #expect(now.names != names && now.names.count == names.count + 1)
    let past = try answer(Self.query, in: before)
    #expect(past.names == names && past.statistics.entriesCached == 0)
    let plain = try Self.filled(.withoutCaches)
    _ = try plain.commit([
      Self.task(38, done: true), Self.task(8, done: false), Self.task(30_008, done: true),
    ])
    #expect(try answer(Self.query, in: plain.readView()).names == now.names)
  }

  @Test func nothingIsKeptWithoutMemory() throws {
    let engine = try Self.filled(.withoutCaches)
    for _ in 0..<40 { _ = try answer(Self.query, in: engine.readView()) }
    let last = try answer(Self.query, in: engine.readView())
    #expect(last.statistics.entriesCached == 0 && last.statistics.testCount == 0)
    #expect(engine.scanCacheStatistics == ScanCacheStatistics())
  }

  @Test func memoryIsBounded() throws {
    var settings = EngineSettings.keepingScansAtOnce
    settings.scanCacheByteCount = 60_000
    let engine = try Self.filled(settings)
    for round in 0..<3 {
      for user in 0..<30 {
        let query = Self.equal(("user", .integer(Int64(user))), ("done", true))
        #expect(try answer(query, in: engine.readView()).names.count == 50, "\(round)")
        #expect(engine.scanCacheStatistics.byteCount <= 60_000)
      }
    }
    #expect(engine.scanCacheStatistics.scanCount > 0)
  }

  @Test func indexesThatGoAndComeAgainAreReadAnew() throws {
    let engine = try Self.filled(.keepingScansAtOnce)
    for _ in 0..<30 { _ = try answer(Self.query, in: engine.readView()) }
    let done = Self.field("done")
    try engine.setOverride("t", done, [])
    _ = try engine.commit([Self.task(38, done: true)])
    try engine.setOverride("t", done, [SingleFieldIndex(.ascending)])
    let found = try answer(Self.query, in: engine.readView())
    #expect(found.names.count == 51)
    for _ in 0..<30 {
      #expect(try answer(Self.query, in: engine.readView()).names == found.names)
    }
  }

  /// Every commit exchanges the values of two documents, so that each view finds the same number of
  /// documents as any other.
  @Test func readersBesideWritersFindWhatTheirViewHas() throws {
    for settings in [EngineSettings.keepingScansAtOnce, EngineSettings()] {
      let engine = try Self.filled(settings)
      let isDone = Lock(false)
      try onThreads(4) { thread in
        if thread == 0 {
          defer { isDone.withLock { $0 = true } }
          for round in 0..<400 {
            let flip = round / 50 % 2 == 1
            // Tasks of user 8: one of the first half of them, which are not done, and one that is.
            let (left, right) = (8 + 60 * (round % 50) + 30, 8 + 60 * (round % 50))
            _ = try engine.commit([Self.task(left, done: !flip), Self.task(right, done: flip)])
          }
        } else {
          var count = 0
          while count < 100 || !isDone.withLock({ $0 }) {
            let found = try answer(Self.query, in: engine.readView())
            guard found.names.count == 50, found.names == found.names.sorted() else {
              throw LawBroken("\(found.names.count) tasks, by \(found.statistics)")
            }
            count += 1
          }
        }
      }
      let report = try engine.verify()
      #expect(report.isClean)
    }
  }
}
