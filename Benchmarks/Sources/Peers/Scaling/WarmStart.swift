import ArgumentParser
import Hearth
import Workbench

/// `warm`: the first reads after an opening, from files that the kernel has dropped from memory,
/// with a warm start and without.
struct WarmStart: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "warm",
    abstract: "The first reads after an opening, with a warm start and without.",
    discussion: """
      An application reads some documents by id and closes the database. Then it opens it anew, \
      and reads the same documents in a random order. Each round does so without a warm start, \
      with one, and with one that has had a second.
      """)

  @Option(help: "How many documents.")
  var documents = 100_000

  @Option(help: "How many of them are read before the close.")
  var hot = 20_000

  @Option(help: "How many reads are timed after the opening.")
  var reads = 10_000

  @Option(help: "How many rounds.")
  var rounds = 5

  @Option(help: "The folder in which the database is made.")
  var folder = "/tmp"

  /// The ways to open the database.
  private enum Opening: String, CaseIterable {
    case cold = "cold"
    case warm = "warm start"
    case warmLater = "warm start, a second later"
  }

  func validate() throws {
    guard documents >= 1000, documents.isMultiple(of: 500), (1...documents).contains(hot) else {
      throw ValidationError(
        "--documents needs a multiple of 500, at least 1000, and --hot no more than that")
    }
    guard rounds >= 3, reads >= 10 else {
      throw ValidationError("--rounds needs at least 3, and --reads at least 10")
    }
  }

  func run() throws {
    let path = try Disk.makeTemporaryFolder(in: folder)
    defer { Disk.remove(path) }
    let ids = try load(path)
    var rows: [[(first: Percentiles, all: Percentiles)]] = Opening.allCases.map { _ in [] }
    for round in 0..<rounds {
      for (index, opening) in Opening.allCases.enumerated() {
        rows[index].append(try measure(opening, ids, in: path, round))
      }
    }
    show(
      """
      Microseconds of a get, medians of \(rounds) rounds: \(hot) of \(documents) documents were in \
      memory at the close.

      | | first tenth, p50 | p99 | all \(reads), p50 | p99 |
      |---|---:|---:|---:|---:|
      """)
    for (opening, rounds) in zip(Opening.allCases, rows) {
      func median(_ figure: ((first: Percentiles, all: Percentiles)) -> Double) -> String {
        Spread(rounds.map(figure)).median.short
      }
      show(
        "| \(opening.rawValue) | \(median { $0.first.p50 }) | \(median { $0.first.p99 }) "
          + "| \(median { $0.all.p50 }) | \(median { $0.all.p99 }) |")
    }
  }

  private func open(_ path: String, startsWarm: Bool) throws -> Database {
    var options = Database.Options()
    options.documentCacheByteCount = 256 << 20
    options.startsWarm = startsWarm
    return try Database.open(at: path, options: options)
  }

  /// Loads the database, and returns the ids of the documents that are read.
  private func load(_ path: String) throws -> [String] {
    let store = try HearthContestant(
      StoreSettings(
        path: path, indexes: .composites,
        memory: MemorySettings(cacheMebibytes: 64, documentMebibytes: 0), isDurable: false))
    var tasks = SampleTasks(seed: 1, count: documents)
    var ids: [String] = []
    try store.load(documents, from: &tasks) { ids += $0.map(\.task.id) }
    try store.settle()
    try store.database.close()
    var random = SplitMix64(state: 3)
    return Array(ids.shuffled(using: &random).prefix(hot))
  }

  private func measure(
    _ opening: Opening, _ ids: [String], in path: String, _ round: Int
  ) throws -> (first: Percentiles, all: Percentiles) {
    let before = try open(path, startsWarm: opening != .cold)
    for id in ids { _ = try before.document("tasks/\(id)").getDocument() }
    try before.close()
    try Disk.synchronize(path)
    try Disk.dropFromMemory(path)
    let database = try open(path, startsWarm: opening != .cold)
    defer { try? database.close() }
    if opening == .warmLater { Clock.wait(seconds: 1) }
    var random = SplitMix64(state: UInt64(round) + 11)
    let asked = (0..<reads).map { _ in ids[Int.random(in: ids.indices, using: &random)] }
    let latencies = try Slice.timing(reads) {
      guard try database.document("tasks/\(asked[$0])").getDocument().exists else {
        throw StudyError("a stored task is gone")
      }
    }.latencies
    return (
      first: Latencies(microseconds: latencies.prefix(reads / 10)).percentiles,
      all: Latencies(microseconds: latencies).percentiles
    )
  }
}
