import CrashWriter
import HearthDocumentEngine
import HearthDocumentModel
import HearthEngineUpkeep
import Hearth
import HearthLevelDBStore
import HearthQueryPlanning
import HearthStorageFormat
import TestSupport

/// One database in which indexes are built while four threads write, and which is killed round
/// after round.
///
/// After each kill it is opened: every acknowledged write is there, the current write of each
/// thread is there whole or not at all, and the indexes agree with the documents, also the
/// half-built ones. Then the builds continue by themselves, and end.
struct BuildKillRounds {
  static let threadCount = 4

  /// Counts of the rounds by their events.
  struct Figures: CustomStringConvertible {
    var rounds = 0
    var acknowledged = 0
    /// Rounds after which an index was half built or half dropped.
    var brokenOff = 0
    /// Indexes that were half built.
    var halfBuilt = 0
    var begun = 0
    var resumed = 0
    var halfDropped = 0
    var paused = 0
    var documents = 0
    var entries = 0

    var description: String {
      "\(rounds) kills, \(brokenOff) of them within a build or drop: \(acknowledged) steps "
        + "acknowledged, \(begun) builds begun; \(halfBuilt) indexes half built, \(resumed) of "
        + "them gone on by themselves, \(paused) paused, \(halfDropped) half dropped; at the end "
        + "\(documents) documents, \(entries) entries"
    }
  }

  private let folder: TemporaryFolder
  private let database: String
  private(set) var figures = Figures()
  private var state = WriterState()
  /// Indexes that exist when a round begins.
  private var present: Set<String> = []
  private var random: SplitMix64

  init(seed: UInt64) throws {
    folder = try TemporaryFolder()
    database = folder.path(of: "database")
    random = SplitMix64(seed: seed)
  }

  mutating func run(rounds: Int) async throws {
    for _ in 0..<rounds { try await runRound() }
  }

  private mutating func runRound() async throws {
    let seed = UInt64.random(in: 0...UInt64(UInt32.max), using: &random)
    let lines = try killWriter(seed: seed, after: .random(in: 20...200, using: &random))
    // Thread 0 reports builds and drops.
    let commits = lines.filter { !$0.hasPrefix("build ") && !$0.hasPrefix("drop ") }
    let steps = try KillRounds.steps(of: commits, threadCount: Self.threadCount + 1)
    figures.rounds += 1
    figures.acknowledged += steps.reduce(0, +)
    figures.begun += lines.count { $0.hasPrefix("build ") }
    let stored = try stateAfterKill()
    try requireIndexes(stored, after: lines)
    for (thread, count) in steps.enumerated() where thread > 0 {
      var history = WriterHistory(seed: seed, thread: thread, start: state)
      for _ in 0..<count { _ = history.next() }
      try compare(stored, with: history)
    }
    state = stored
    try await finishBuilds(of: stored.composites.filter { $0.value == .creating }.map(\.key))
  }

  /// Runs a writer until a build has begun and a given number of lines were written after it, and
  /// kills it.
  private func killWriter(seed: UInt64, after count: Int) throws -> [String] {
    let writer = try RunningWriter(["build", database, "\(seed)", "\(Self.threadCount)"])
    var lines: [String] = []
    var hasBegun = false
    var left = count
    while left > 0, let line = writer.nextLine() {
      lines.append(line)
      hasBegun = hasBegun || line.hasPrefix("build ")
      if hasBegun { left -= 1 }
    }
    return lines + writer.kill()
  }

  // MARK: After the kill

  /// Requires every index that existed or was begun, unless the writer was about to drop it.
  private func requireIndexes(_ stored: WriterState, after lines: [String]) throws {
    var expected = present
    for line in lines {
      if line.hasPrefix("build ") { expected.insert(String(line.dropFirst("build ".count))) }
      if line.hasPrefix("drop ") { expected.remove(String(line.dropFirst("drop ".count))) }
    }
    let missing = expected.subtracting(stored.composites.keys.map(\.inLine))
    guard missing.isEmpty else {
      throw KillRounds.Inconsistency(description: "indexes are gone: \(missing.sorted())")
    }
  }

  /// Returns the contents of the database before any work continues.
  private mutating func stateAfterKill() throws -> WriterState {
    let engine = try Engine(LevelDBStore.open(folder: database).store)
    let report = try engine.verify()
    guard report.isClean else {
      throw KillRounds.Inconsistency(description: "after the kill: \(report.problems)")
    }
    let builds = try engine.builds.list()
    let dropCount = try engine.readView().catalog.droppedIDs.count
    figures.halfBuilt += builds.count
    figures.paused += builds.count { $0.state == .paused }
    figures.halfDropped += dropCount
    figures.brokenOff += builds.isEmpty && dropCount == 0 ? 0 : 1
    let stored = try WriterState(of: engine)
    try engine.close()
    return stored
  }

  private func compare(_ stored: WriterState, with history: WriterHistory) throws {
    let before = history.state.documents
    var next = history
    _ = next.next()
    let after = next.state.documents
    let documents = stored.documents.filter { WriterHistory.owner(of: $0.key) == history.thread }
    guard documents == before || documents == after else {
      let lost = before.filter { documents[$0.key] != $0.value }
      throw KillRounds.Inconsistency(
        description: "thread \(history.thread): \(lost.count) documents aren't as they were "
          + "acknowledged, such as \(lost.keys.sorted().prefix(3))")
    }
  }

  /// Opens the database as an application does, and waits for its builds without any step of its
  /// own.
  ///
  /// - Parameter halfBuilt: the indexes whose builds the kill interrupted.
  private mutating func finishBuilds(of halfBuilt: [IndexDefinition]) async throws {
    let database = try await Database.open(at: database)
    var failed: Set<IndexDefinition> = []
    for build in try await database.indexes.builds() {
      if try await build.status().state == .paused { try await build.resume() }
      for await _ in build.updates {}
      let status = try await build.status()
      guard status.state == .ready || status.state == .failed else {
        throw KillRounds.Inconsistency(description: "a build ended as \(status)")
      }
      if status.state == .failed, case .index(let definition) = status.subject {
        failed.insert(definition)
      }
      figures.resumed += 1
    }
    let report = try await database.verify()
    guard report.isClean else {
      throw KillRounds.Inconsistency(description: "after the builds: \(report.problems)")
    }
    let indexes = try await database.indexes.list()
    guard indexes.allSatisfy({ $0.state == .ready }) else {
      throw KillRounds.Inconsistency(description: "an index is still being built")
    }
    let definitions = Set(indexes.map(\.definition))
    if let lost = halfBuilt.first(where: { !definitions.contains($0) && !failed.contains($0) }) {
      throw KillRounds.Inconsistency(description: "the build of \(lost) is gone")
    }
    present = Set(definitions.map(\.inLine))
    figures.documents = report.documentCount
    figures.entries = report.entryCount
    try await database.close()
  }
}
