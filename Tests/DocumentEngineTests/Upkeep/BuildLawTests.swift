import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import HearthOrderedStore
import HearthQueryPlanning
import HearthReports
import TestSupport
import Testing

/// Law: for any writes during an index build or an exemption, at the end every document has exactly
/// the entries that it must have.
@Suite struct BuildLawTests {
  @Test func writesBetweenTheReadsOfABuildLeaveItsEntriesRight() throws {
    let seed = GeneratedCases.seed()
    var (builds, writes) = (0, 0)
    for number in 0..<GeneratedCases.count {
      var history = try BuildHistory(seed: seed &+ UInt64(number))
      try history.run()
      builds += history.buildCount
      writes += history.interruption.commitCount
      let report = try history.engine.verify()
      guard report.isClean else {
        Issue.record("HEARTH_SEED=\(seed &+ UInt64(number)) HEARTH_CASES=1: \(report.problems)")
        return
      }
    }
    print("builds \(builds), writes meanwhile \(writes)")
    guard GeneratedCases.areMany() else { return }
    #expect(builds > GeneratedCases.count)
    #expect(writes > GeneratedCases.count)
  }

  /// The same law with threads, whose writes also come between the parts of a chunk.
  @Test func writersBesideABuildLeaveItsEntriesRight() throws {
    let seed = GeneratedCases.seed(count: 20)
    var settings = BuildHistory.settings(chunkDocumentCount: 4, batchByteCount: 30)
    settings.build.stepDocumentCount = 1
    settings.startWork = startThread
    let engine = try Engine(MemoryStore(), settings: settings)
    let isDone = Lock(false)
    try onThreads(3) { thread in
      var generator = HistoryGenerator(seed: seed &+ UInt64(thread))
      guard thread == 0 else {
        while !isDone.withLock({ $0 }) {
          _ = try? engine.commit([generator.write(), generator.write()])
        }
        return
      }
      defer { isDone.withLock { $0 = true } }
      for _ in 0..<20 {
        for _ in 0..<20 { try? generator.indexStep(drops: true).changeIndexes(of: engine) }
        let report = try engine.verify()
        #expect(report.isClean, "seed \(seed): \(report.problems)")
      }
    }
    #expect(try engine.verify().isClean, "seed \(seed)")
  }
}

/// A database with an index that is built while the observer writes between the reads.
struct BuildHistory {
  let engine: Engine
  let interruption: Interruption
  private(set) var buildCount = 0
  private var generator: HistoryGenerator

  static func settings(chunkDocumentCount: Int, batchByteCount: Int) -> EngineSettings {
    var settings = EngineSettings()
    settings.build.chunkDocumentCount = chunkDocumentCount
    settings.build.batchByteCount = batchByteCount
    settings.build.changedDocumentCount = max(1, chunkDocumentCount / 2)
    return settings
  }

  init(seed: UInt64) throws {
    generator = HistoryGenerator(seed: seed)
    interruption = Interruption(seed: seed)
    var settings = BuildHistory.settings(
      chunkDocumentCount: .random(in: 1...4, using: &generator.random),
      batchByteCount: .random(in: 1...100, using: &generator.random))
    settings.shareWork(&generator.random)
    engine = try Engine(
      ObservedStore(MemoryStore(), observer: interruption), settings: settings)
  }

  mutating func run() throws {
    for _ in 0..<8 { _ = try? engine.commit([generator.write()]) }
    for _ in 0..<3 {
      interruption.begin(engine)
      defer { interruption.end() }
      guard (try? generator.indexStep(drops: false).changeIndexes(of: engine)) != nil else {
        continue
      }
      buildCount += 1
    }
  }
}

extension EngineSettings {
  /// Lets builds take small steps, and share each with another thread: one that comes at once, as
  /// if it were faster, or one that never comes.
  mutating func shareWork(_ random: inout SplitMix64) {
    build.stepDocumentCount = .random(in: 1...2, using: &random)
    let comes = random.oneIn(2)
    startWork = { if comes { $0() } }
  }
}

/// An observer that sometimes commits when a cursor moves. It commits outside of the committer,
/// since no index is dropped.
final class Interruption: StoreObserver {
  private struct State {
    var generator: HistoryGenerator
    var engine: Engine?
    var isCommitting = false
    var commitCount = 0
  }

  private let state: Lock<State>

  init(seed: UInt64) {
    state = Lock(State(generator: HistoryGenerator(seed: ~seed)))
  }

  var commitCount: Int { state.withLock { $0.commitCount } }

  func begin(_ engine: Engine) { state.withLock { $0.engine = engine } }
  func end() { state.withLock { $0.engine = nil } }

  func willPerform(_ operation: StoreOperation) throws(StoreError) {
    guard operation == .next else { return }
    let due = state.withLock { state -> (Engine, Write)? in
      guard let engine = state.engine, !state.isCommitting, state.generator.random.oneIn(3) else {
        return nil
      }
      state.isCommitting = true
      state.commitCount += 1
      return (engine, state.generator.write())
    }
    guard let (engine, write) = due else { return }
    // A precondition may refuse it.
    _ = try? engine.commit([write])
    state.withLock { $0.isCommitting = false }
  }

  func willWrite(_ batch: StoreBatch, to store: any OrderedStore) throws(StoreError) {}
  func didRead(byteCount: Int) {}
}
