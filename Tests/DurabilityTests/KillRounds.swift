import CrashWriter
import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import HearthLevelDBStore
import HearthQueryPlanning
import HearthReports
import HearthStorageFormat
import TestSupport

/// One database to which writers write until they are killed, round after round.
///
/// After each kill it is opened and compared with the histories: every acknowledged step is there,
/// the current step of each thread is there whole or not at all, and the indexes agree with the
/// documents.
struct KillRounds {
  static let threadCount = 3

  /// Counts of the rounds by their events.
  struct Figures: CustomStringConvertible {
    var rounds = 0
    /// Kills within a write to the log.
    var tornWrites = 0
    var acknowledged = 0
    /// Steps that were not acknowledged: those found whole, and those found missing.
    var keptUnacknowledged = 0
    var lostUnacknowledged = 0
    var halfBuiltIndexes = 0
    var cutLogs = 0
    var documents = 0
    var entries = 0

    var description: String {
      "\(rounds) kills, \(tornWrites) of them within a write: \(acknowledged) steps acknowledged; "
        + "of those under way \(keptUnacknowledged) were kept, \(lostUnacknowledged) lost; "
        + "half-built indexes \(halfBuiltIndexes), logs cut \(cutLogs); at the end "
        + "\(documents) documents, \(entries) entries"
    }
  }

  struct Inconsistency: Error, CustomStringConvertible {
    let description: String
  }

  private let folder: TemporaryFolder
  private let database: String
  private(set) var figures = Figures()
  private var state = WriterState()
  private var random: SplitMix64

  init(seed: UInt64) throws {
    folder = try TemporaryFolder()
    database = folder.path(of: "database")
    random = SplitMix64(seed: seed)
  }

  mutating func run(rounds: Int) throws {
    for _ in 0..<rounds { try runRound() }
    try finishIndexes()
  }

  private mutating func runRound() throws {
    let seed = UInt64.random(in: 0...UInt64(UInt32.max), using: &random)
    let steps =
      random.oneIn(2)
      ? try killWriter(seed: seed, after: .random(in: 0...80, using: &random))
      : try tearWrite(seed: seed)
    figures.rounds += 1
    figures.acknowledged += steps.reduce(0, +)
    let (store, report) = try LevelDBStore.open(folder: database)
    figures.cutLogs += report.cuts.count
    let engine = try Engine(store)
    try verify(engine)
    let stored = try WriterState(of: engine)
    for (thread, count) in steps.enumerated() {
      var history = WriterHistory(seed: seed, thread: thread, start: state)
      for _ in 0..<count { _ = history.next() }
      try compare(stored, with: history)
    }
    state = stored
    try engine.close()
  }

  /// Runs a writer until it has acknowledged a given number of steps, and kills it.
  ///
  /// - Returns: for each thread, the number of steps acknowledged before it was dead.
  private func killWriter(seed: UInt64, after count: Int) throws -> [Int] {
    let writer = try RunningWriter(arguments(seed))
    var lines: [String] = []
    // The line `open` is no line of a step.
    while lines.count <= count, let line = writer.nextLine() { lines.append(line) }
    return try Self.steps(of: lines + writer.kill(), threadCount: Self.threadCount)
  }

  /// Runs a writer that is killed within one of its writes to the log, by the call itself.
  ///
  /// - Returns: the same numbers as `killWriter`.
  private mutating func tearWrite(seed: UInt64) throws -> [Int] {
    let permille = random.pick([0, 1000, Int.random(in: 1...999, using: &random)])
    let settings = [
      "KILL_AT_WRITE": "\(Int.random(in: 1...60, using: &random))",
      "KILL_AFTER_PERMILLE": "\(permille)",
    ]
    figures.tornWrites += 1
    let writer = try RunningWriter(
      arguments(seed), environment: try Interposer.environment(with: settings, in: folder))
    return try Self.steps(of: writer.finish(), threadCount: Self.threadCount)
  }

  private func arguments(_ seed: UInt64) -> [String] {
    ["write", database, "\(seed)", "\(Self.threadCount)"]
  }

  /// Returns the number of steps that each thread of a writer has reported; each line names the
  /// thread's next one.
  static func steps(of lines: [String], threadCount: Int) throws -> [Int] {
    var steps = [Int](repeating: 0, count: threadCount)
    for line in lines where line != "open" {
      let numbers = line.split(separator: " ").map { Int($0) }
      guard numbers.count == 2, let thread = numbers[0], steps.indices.contains(thread),
        numbers[1] == steps[thread] + 1
      else { throw Inconsistency(description: "the writer said \"\(line)\"") }
      steps[thread] += 1
    }
    return steps
  }

  private mutating func verify(_ engine: Engine) throws {
    let report = try engine.verify()
    guard report.isClean else { throw Inconsistency(description: "\(report.problems)") }
    figures.documents = report.documentCount
    figures.entries = report.entryCount
  }

  // MARK: Comparing

  /// - Parameter history: the history of a thread, up to its last acknowledged step.
  private mutating func compare(_ stored: WriterState, with history: WriterHistory) throws {
    let before = history.state
    var next = history
    let step = next.next()
    let after = next.state
    let documents = stored.documents.filter { WriterHistory.owner(of: $0.key) == history.thread }
    guard documents == before.documents || documents == after.documents else {
      throw Inconsistency(
        description: "thread \(history.thread): \(difference(documents, before.documents)); "
          + "with the step that was under way: \(difference(documents, after.documents))")
    }
    if case .commit = step, before.documents != after.documents {
      let isKept = documents == after.documents
      figures.keptUnacknowledged += isKept ? 1 : 0
      figures.lostUnacknowledged += isKept ? 0 : 1
    }
    guard history.thread == 0 else { return }
    try compareIndexes(stored, before, after, under: step)
  }

  /// Compares the indexes. An index that the current step changes may be in any state; every other
  /// must be as it was.
  private mutating func compareIndexes(
    _ stored: WriterState, _ before: WriterState, _ after: WriterState, under step: WriterStep
  ) throws {
    let definitions = Set(stored.composites.keys).union(before.composites.keys)
      .union(after.composites.keys)
    for definition in definitions
    where before.composites[definition] == after.composites[definition] {
      guard stored.composites[definition] == after.composites[definition] else {
        throw Inconsistency(
          description: "\(definition) is \(stored.composites[definition], default: "missing")")
      }
    }
    let fields = Set(stored.overrides.keys).union(before.overrides.keys)
      .union(after.overrides.keys)
    for field in fields where !step.changesOverride(of: field) {
      guard stored.overrides[field] == after.overrides[field] else {
        throw Inconsistency(description: "the override of \(field, default: "*") is another")
      }
    }
    figures.halfBuiltIndexes +=
      stored.composites.values.count { $0 == .creating }
      + stored.overrides.values.count { $0.values.contains(.creating) }
  }

  private func difference(
    _ stored: [ResourcePath: MapValue], _ expected: [ResourcePath: MapValue]
  ) -> String {
    let paths = Set(stored.keys).union(expected.keys)
      .filter { stored[$0] != expected[$0] }.sorted()
    return "\(paths.count) documents differ, such as \(paths.prefix(3))"
  }

  // MARK: The end

  /// Finishes the half-built indexes by creating them again.
  private mutating func finishIndexes() throws {
    let engine = try Engine(LevelDBStore.open(folder: database).store)
    for (definition, state) in state.composites where state == .creating {
      try engine.createIndex(definition)
    }
    for (field, indexes) in state.overrides where state.unfinishedOverrides.contains(field) {
      try engine.setOverride(WriterHistory.collectionGroup, field, Array(indexes.keys))
    }
    try verify(engine)
    let indexes = try engine.readView().catalog.indexes
    guard indexes == indexes.built else {
      throw Inconsistency(description: "an index is still being built")
    }
    try engine.close()
  }
}
