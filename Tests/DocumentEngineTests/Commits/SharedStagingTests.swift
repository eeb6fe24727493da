import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import HearthOrderedStore
import HearthQueryPlanning
import HearthReports
import TestSupport
import Testing

/// Law: commits whose documents several threads prepare have the batches, results and errors of
/// those that one thread stages.
@Suite struct SharedStagingTests {
  /// The behaviour of the other threads.
  enum Help: CaseIterable {
    case never, atOnce, late

    func start(_ work: @escaping @Sendable () -> Void) {
      switch self {
      case .never: break
      case .atOnce: work()
      case .late: startThread(work)
      }
    }
  }

  /// The ways of writes into the engine.
  enum Way: CaseIterable {
    case commit, judged, load, batchWrite
  }

  private static let commitsPerHistory = 12
  /// Number of cases, as other laws count them, that take as long as a history.
  private static let casesPerHistory = 500

  @Test(arguments: Help.allCases)
  func commitsAreTheSameWithAnyHelp(_ help: Help) throws {
    let seed = GeneratedCases.seed()
    var mix = SharedStagingMix()
    for number in 0..<GeneratedCases.count(per: Self.casesPerHistory) {
      let seed = seed &+ UInt64(number)
      do {
        var history = try SharedStagingHistory(seed: seed, help)
        for _ in 0..<Self.commitsPerHistory { try history.step(&mix) }
        try history.end()
      } catch {
        Issue.record("HEARTH_SEED=\(seed) HEARTH_CASES=1: \(error)")
        return
      }
    }
    mix.check()
  }

  /// Number of threads that are started: three at most to check writes, to look up documents and to
  /// make changes, one for each eight documents behind the first eight, and the one that counts
  /// entries.
  @Test(arguments: [(15, 0), (16, 4), (17, 7), (24, 7), (25, 10), (200, 10)])
  func helpersComeByTheNumberOfDocuments(_ documentCount: Int, _ startedCount: Int) throws {
    let started = Lock(0)
    var settings = EngineSettings()
    settings.helperCount = 3
    settings.startWork = { _ in started.withLock { $0 += 1 } }
    let fixture = try EngineFixture(settings: settings)
    let paths = (0..<documentCount).map { ResourcePath(unchecked: ["c", "\($0)"]) }
    _ = try fixture.engine.commit(paths.map { .create($0, ["n": 1]) })
    #expect(started.withLock { $0 } == startedCount)
    try fixture.expectClean()
  }

  /// The error is that of the first invalid write, also if another thread finds it.
  @Test(arguments: Help.allCases)
  func theFirstInvalidWriteIsReported(_ help: Help) throws {
    var settings = EngineSettings()
    settings.helperCount = 3
    settings.startWork = help.start
    let engine = try Engine(MemoryStore(), settings: settings)
    for first in [0, 7, 8, 20, 38] {
      let writes = (0..<40).map { number in
        let path = ResourcePath(unchecked: ["c", "\(number)"])
        return Write.set(path, number < first ? ["n": 1] : ["__\(number)__": 1])
      }
      let error = try #require(throws: DatabaseError.self) { try engine.commit(writes) }
      #expect(error.message.contains("__\(first)__"), "\(error)")
    }
    #expect(
      try engine.commit([.create(ResourcePath(unchecked: ["c", "0"]), ["n": 1])]).writeResults.count
        == 1)
  }

  /// Groups of requests of many threads leave all documents, with their entries, and no other.
  @Test func groupsOfManyThreadsAreShared() throws {
    var settings = EngineSettings()
    settings.startWork = startThread
    settings.helperCount = 3
    let fixture = try EngineFixture(settings: settings)
    try fixture.set("c/first", ["n": 0])
    try onThreads(24) { [engine = fixture.engine] thread in
      for turn in 0..<8 {
        let path = ResourcePath(unchecked: ["c", "\(thread)-\(turn)"])
        _ = try engine.commit([.create(path, ["n": .integer(Int64(turn)), "t": "x"])])
        // A third of the threads make requests that fail. Then later documents get other numbers.
        guard thread % 3 == 0 else { continue }
        #expect(throws: DatabaseError.self) { try engine.commit([.create(path, ["n": 1])]) }
      }
    }
    try fixture.expectClean()
    let names = try fixture.names(StructuredQuery(collectionID: "c"))
    #expect(names.count == 24 * 8 + 1)
  }
}

/// Counts of the commits by what became of them.
private struct SharedStagingMix {
  var commits = 0
  var refused = 0
  var documents = 0

  func check() {
    print("commits \(commits), refused \(refused), documents \(documents)")
    guard GeneratedCases.areMany() else { return }
    #expect(refused * 20 > commits && refused * 2 < commits)
    #expect(documents > commits)
  }
}

/// Two databases with the same history, one of which has the help of other threads.
private struct SharedStagingHistory {
  private var generator: HistoryGenerator
  private let alone: RecordedEngine
  private let helped: RecordedEngine
  private var seconds: Int64 = 0

  init(seed: UInt64, _ help: SharedStagingTests.Help) throws {
    generator = HistoryGenerator(seed: seed)
    var settings = EngineSettings.turn(Int(truncatingIfNeeded: seed % 3))
    settings.load.promptDocumentCount = 0
    alone = try RecordedEngine(settings)
    settings.startWork = help.start
    settings.helperCount = 1 + Int(truncatingIfNeeded: seed / 3 % 4)
    helped = try RecordedEngine(settings)
  }

  mutating func step(_ mix: inout SharedStagingMix) throws {
    seconds += 1
    let time = try Timestamp(microseconds: seconds * 1_000_000)
    for engine in [alone, helped] { engine.clock.turn(to: time) }
    if generator.random.oneIn(3) {
      let step = generator.indexStep(drops: true)
      for engine in [alone.engine, helped.engine] {
        // Refused in one, it is refused in both.
        do { try step.changeIndexes(of: engine) } catch is DatabaseError {}
      }
    }
    let count = Int.random(in: 12...60, using: &generator.random)
    let writes = (0..<count).map { _ in write() }
    let way = SharedStagingTests.Way.allCases.randomElement(using: &generator.random) ?? .commit
    let (expected, actual) = (answer(writes, way, alone), answer(writes, way, helped))
    mix.commits += 1
    if case .failure = expected { mix.refused += 1 } else { mix.documents += count }
    guard expected.isSame(as: actual), alone.takeBatches() == helped.takeBatches() else {
      throw LawBroken("\(writes): \(expected), with help \(actual)")
    }
  }

  /// Returns a write of one of many documents, most of which don't exist yet.
  private mutating func write() -> Write {
    let write = generator.write()
    // Most requests would be refused otherwise.
    guard write.precondition == nil, !generator.random.oneIn(200) else {
      return generator.random.oneIn(2) ? .delete(write.path) : .set(write.path, ["a": 1])
    }
    let id = "\(Int.random(in: 0..<2_000, using: &generator.random))"
    return Write(
      path: write.path.parent.appending(unchecked: id), operation: write.operation,
      precondition: generator.random.oneIn(20) ? .exists(false) : nil)
  }

  private func answer(_ writes: [Write], _ way: SharedStagingTests.Way, _ recorded: RecordedEngine)
    -> Answer
  {
    let engine = recorded.engine
    return Answer {
      switch way {
      case .commit: return try engine.commit(writes).writeResults.map { .success($0) }
      case .judged:
        let results = try engine.commit(writes) { _ in }
        return results.writeResults.map { .success($0) }
      case .load:
        var load = engine.makeLoad()
        let results = try load.commit(writes).writeResults
        try load.finish()
        return results.map { .success($0) }
      case .batchWrite:
        var paths: Set<ResourcePath> = []
        return try engine.batchWrite(writes.filter { paths.insert($0.path).inserted })
      }
    }
  }

  func end() throws {
    guard try helped.engine.verify().isClean else { throw LawBroken("an entry is wrong") }
  }
}

private typealias Answer = Result<[Result<WriteResult, DatabaseError>], any Error>

extension Answer {
  fileprivate init(_ body: () throws -> Success) {
    do { self = .success(try body()) } catch { self = .failure(error) }
  }

  fileprivate func isSame(as other: Answer) -> Bool { "\(self)" == "\(other)" }
}
