import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import HearthOrderedStore
import HearthQueryPlanning
import HearthReports
import HearthStorageFormat
import TestSupport
import Testing

/// Law: for any events between the steps of builds (writes, other builds, pauses, drops, failures
/// of the store, the database being opened again), at the end every index has the entries that it
/// would have if it were built over documents at rest.
@Suite struct BuildStepLawTests {
  @Test func anyHistoryOfStepsEndsWithTheEntriesOfABuildAtRest() throws {
    let count = GeneratedCases.count(unlessTold: 2_000)
    let seed = GeneratedCases.seed(count: count)
    var mix = BuildMix()
    for number in 0..<count {
      let seed = seed &+ UInt64(number)
      do {
        var history = try StepHistory(seed: seed)
        try history.run()
        mix.add(history.mix)
      } catch {
        Issue.record("HEARTH_SEED=\(seed) HEARTH_CASES=1: \(error)")
        return
      }
    }
    print(mix)
    // Shares mean little in a small sample.
    guard count >= 2_000 else { return }
    #expect(mix.ready > count && mix.shared > count / 10)
    #expect(mix.paused > count / 4 && mix.cancelled > count / 10)
    #expect(mix.reopened > count / 2 && mix.failures > count / 10)
    #expect(mix.entries > count)
  }
}

/// Counts of the generated histories by their steps.
private struct BuildMix: CustomStringConvertible {
  var ready = 0
  /// Builds begun together with others.
  var shared = 0
  var paused = 0
  var cancelled = 0
  var reopened = 0
  var failures = 0
  var steps = 0
  var entries = 0

  mutating func add(_ other: BuildMix) {
    ready += other.ready
    shared += other.shared
    paused += other.paused
    cancelled += other.cancelled
    reopened += other.reopened
    failures += other.failures
    steps += other.steps
    entries += other.entries
  }

  var description: String {
    "indexes ready \(ready), begun together \(shared), paused \(paused), cancelled \(cancelled), "
      + "reopened \(reopened), failures of the store \(failures), steps \(steps), "
      + "entries \(entries)"
  }
}

private struct StepHistory {
  private(set) var mix = BuildMix()
  private var generator: HistoryGenerator
  private let store = MemoryStore()
  private var engine: Engine
  private let settings: EngineSettings

  init(seed: UInt64) throws {
    var generator = HistoryGenerator(seed: seed)
    var settings = EngineSettings()
    settings.build.chunkDocumentCount = .random(in: 1...4, using: &generator.random)
    settings.build.batchByteCount = .random(in: 1...100, using: &generator.random)
    settings.build.stepDocumentCount = .random(in: 1...3, using: &generator.random)
    settings.build.changedDocumentCount = .random(in: 1...3, using: &generator.random)
    settings.build.dropKeyCount = .random(in: 1...5, using: &generator.random)
    if generator.random.oneIn(2) { settings.shareWork(&generator.random) }
    self.generator = generator
    self.settings = settings
    engine = try Engine(store, settings: settings)
  }

  mutating func run() throws {
    for _ in 0..<6 { _ = try? engine.commit([generator.write()]) }
    for _ in 0..<40 { try attempt() }
    try reopen()
    for build in try engine.builds.list() where build.state == .paused {
      try engine.builds.resume(build.number)
    }
    while try engine.builds.step() != nil {}
    try check()
  }

  /// Codes of the errors that refuse a step in the wrong state.
  private static let refusals: Set<DatabaseError.Code> = [
    .alreadyExists, .notFound, .failedPrecondition, .invalidArgument, .resourceExhausted,
    .cancelled,
  ]

  /// Makes a random step, perhaps in a store that fails during it.
  private mutating func attempt() throws {
    let fails = generator.random.oneIn(20)
    if fails {
      let fault = StoreFault(
        failingOperation: .random(in: 1...20, using: &generator.random),
        failingWrite: generator.random.oneIn(2) ? .isLost : .isKept)
      guard let faulty = try? Engine(ObservedStore(store, observer: fault), settings: settings)
      else { return mix.failures += 1 }
      engine = faulty
      mix.reopened += 1
    }
    do {
      for _ in 0..<(fails ? 8 : 1) { try act() }
    } catch let error as DatabaseError where error.code == .unavailable {
      mix.failures += 1
    } catch let error as DatabaseError where StepHistory.refusals.contains(error.code) {
      // A precondition may refuse it.
    }
    if fails || generator.random.oneIn(12) { try reopen() }
  }

  private mutating func reopen() throws {
    engine = try Engine(store, settings: settings)
    mix.reopened += 1
    let report = try engine.verify()
    guard report.isClean else { throw LawBroken("\(report.problems)") }
  }

  private mutating func act() throws {
    let open = try engine.builds.list().filter { !$0.isFinished }
    switch Int.random(in: 0..<16, using: &generator.random) {
    case 0: try begin(.random(in: 1...3, using: &generator.random))
    case 1: try pauseOrResume(open)
    case 2 where generator.random.oneIn(3): try cancel(open)
    case 3 where generator.random.oneIn(3):
      guard let index = try engine.readView().catalog.indexes.composites.first else { return }
      try engine.dropIndex(index.definition)
    case 4...6: _ = try engine.commit([generator.write(), generator.write()])
    case 7: try generator.indexStep(drops: true).changeIndexes(of: engine)
    default:
      mix.steps += 1
      _ = try engine.builds.step()
    }
  }

  private mutating func begin(_ count: Int) throws {
    var definitions: [IndexDefinition] = []
    while definitions.count < count {
      guard case .createIndex(let definition) = generator.indexStep(drops: false) else { continue }
      definitions.append(definition)
    }
    _ = try engine.builds.begin(definitions)
    if count > 1 { mix.shared += count }
  }

  private mutating func pauseOrResume(_ open: [BuildStatus]) throws {
    guard !open.isEmpty else { return }
    let build = generator.random.pick(open)
    if build.state == .paused {
      try engine.builds.resume(build.number)
    } else {
      try engine.builds.pause(build.number)
      mix.paused += 1
    }
  }

  private mutating func cancel(_ open: [BuildStatus]) throws {
    guard !open.isEmpty else { return }
    try engine.builds.cancel(generator.random.pick(open).number)
    mix.cancelled += 1
  }

  // MARK: The end

  private mutating func check() throws {
    let report = try engine.verify()
    guard report.isClean else { throw LawBroken("\(report.problems)") }
    let indexes = try engine.readView().catalog.indexes.composites
    guard indexes.allSatisfy({ $0.state == .ready }) else { throw LawBroken("\(indexes)") }
    for index in indexes {
      let built = try entries(ofIndex: index.id)
      let isCovering = try engine.readView().catalog.tunings.covering[index.id] == .ready
      try engine.dropIndex(index.definition)
      try engine.createIndex(index.definition)
      if isCovering { try engine.setCovering(true, of: index.definition) }
      let new = try engine.readView().catalog.indexes.composites.first {
        $0.definition == index.definition
      }
      guard let new, try entries(ofIndex: new.id) == built else {
        throw LawBroken("\(index.definition) has other entries when it is built at rest")
      }
      mix.ready += 1
      mix.entries += built.count
    }
  }

  /// Returns the keys after the index's id, with the values.
  private func entries(ofIndex id: UInt64) throws -> [[UInt8]: [UInt8]] {
    let range = KeyRange.prefix(StorageKey.compositePrefix(id: id))
    let cursor = try store.makeSnapshot().makeCursor()
    try cursor.seek(to: range.lower)
    var entries: [[UInt8]: [UInt8]] = [:]
    while cursor.isValid, cursor.key.compare(range.upper.span.bytes) == .less {
      let key = [UInt8](copying: cursor.key)
      entries[Array(key.dropFirst(range.lower.count))] = [UInt8](copying: cursor.value)
      try cursor.next()
    }
    return entries
  }
}
