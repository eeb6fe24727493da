import ArgumentParser
import FoundationEssentials
import Hearth
import Workbench

/// `probe`: one step of the study of scale. It is a process of its own, so that its memory is
/// separate and it can end by a kill.
struct Probe: ParsableCommand {
  /// A step of the study.
  enum Step: String, Codable, ExpressibleByArgument {
    /// Loads the store, and leaves the files as LevelDB left them.
    case load
    case compact
    /// Counts documents and entries, and compares them.
    case verify
    /// Opens and closes the store a few times.
    case open
    /// Asks Q2 with neither documents nor scans in memory.
    case cold
    /// Asks Q2 with documents and scans in memory.
    case hot
    /// Reads every document into the cache.
    case fill
    /// Opens the store, commits, and ends by a kill.
    case kill
  }

  static let configuration = CommandConfiguration(
    abstract: "One step of the study of scale.", shouldDisplay: false)

  @Option var step: Step
  @Option var folder: String
  @Option var documents: Int
  @Option var indexes = IndexSet.all
  @Option var cache = 256

  private static let questionCount = 2000
  private static let commitsBeforeKill = 2000

  func run() throws {
    var result = ProbeResult()
    let start = Clock.wall()
    switch step {
    case .load:
      try load()
      result.seconds = Clock.wall() - start
    case .compact:
      try store().settle()
      result.seconds = Clock.wall() - start
    case .verify: result.entriesPerDocument = try entriesPerDocument()
    case .open: result.seconds = try medianOpening()
    case .cold: result.latency = try ask(try store(), warm: false)
    case .hot: result.latency = try ask(try store(documents: 256), warm: true)
    case .fill: result.memory = try fill()
    case .kill: try commitAndEnd()
    }
    let json = try JSONEncoder().encode(result)
    show(String(decoding: json, as: UTF8.self))
  }

  private func store(
    blocks: Int? = nil, documents: Int = 0, isDurable: Bool = false
  ) throws -> HearthContestant {
    try HearthContestant(
      StoreSettings(
        path: folder, indexes: indexes,
        memory: MemorySettings(cacheMebibytes: blocks ?? cache, documentMebibytes: documents),
        isDurable: isDurable),
      keeping: HearthMemory(documents: documents > 0, scans: documents > 0))
  }

  private func load() throws {
    let store = try store()
    var tasks = SampleTasks(seed: 1, count: documents)
    for _ in 0..<(documents / 500) {
      try store.insert(tasks.next(500).map(PreparedTask.init)[...])
    }
    try store.database.close()
  }

  private func entriesPerDocument() throws -> Double {
    let report = try store().database.verify()
    guard report.isClean, report.documentCount == documents else {
      throw StudyError("the database that was loaded is not sound")
    }
    return Double(report.entryCount) / Double(documents)
  }

  private func medianOpening() throws -> Double {
    let times = try (0..<5).map { _ in
      let start = Clock.wall()
      let store = try store(isDurable: true)
      let time = Clock.wall() - start
      try store.database.close()
      return time
    }
    return Spread(times).median
  }

  /// Asks Q2 for random users; `warm` asks for each of the users first.
  private func ask(_ store: HearthContestant, warm: Bool) throws -> Percentiles {
    let users = SampleTasks(seed: 1, count: documents).users.prefix(1000)
    var random = SplitMix64(state: 5)
    var tally = Tally()
    if warm { try Readers.warm(store, asking: [.q2], of: Array(users)) }
    var latencies = Latencies()
    for _ in 0..<Self.questionCount {
      let user = users[Int.random(in: users.indices, using: &random)]
      let start = Clock.wall()
      try store.answer(.newest(userId: user), into: &tally)
      latencies.record(microseconds: (Clock.wall() - start) * 1e6)
    }
    return latencies.percentiles
  }

  private func fill() throws -> ProbeResult.Memory {
    let before = try ResidentMemory.now()
    // With few blocks in memory, the growth is due to the documents.
    let store = try store(blocks: 4, documents: max(64, documents / 500))
    let opened = try ResidentMemory.now()
    var tally = Tally()
    try store.answer(.everything, into: &tally)
    guard tally.count == documents else { throw StudyError("not all documents were read") }
    return ProbeResult.Memory(process: before, opened: opened, filled: try ResidentMemory.now())
  }

  private func commitAndEnd() throws {
    let store = try store(isDurable: true)
    var tasks = SampleTasks(seed: 2, count: documents)
    for task in tasks.next(Self.commitsBeforeKill).map(PreparedTask.init) {
      try store.insert([task])
    }
    Program.killSelf()
  }
}

extension IndexSet: ExpressibleByArgument {}

/// The result of a step.
struct ProbeResult: Codable {
  struct Memory: Codable {
    let process: ResidentMemory
    let opened: ResidentMemory
    let filled: ResidentMemory
  }

  var seconds: Double?
  var entriesPerDocument: Double?
  var latency: Percentiles?
  var memory: Memory?
}

/// The resident memory of a process.
struct ResidentMemory: Codable {
  /// Number of bytes that the process allocated.
  let anonymousByteCount: Int
  /// Number of bytes of the mapped pages of files, LevelDB's tables among them. The kernel may drop
  /// them.
  let fileByteCount: Int

  /// Returns the memory of this process.
  static func now() throws -> ResidentMemory {
    let lines = String(decoding: try FileBytes.read("/proc/self/status"), as: UTF8.self)
      .split(separator: "\n")
    func kibibytes(_ name: String) throws -> Int {
      guard
        let line = lines.first(where: { $0.hasPrefix(name) }),
        let count = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first,
        let number = Int(count)
      else { throw StudyError("the kernel doesn't tell \(name)") }
      return number
    }
    return ResidentMemory(
      anonymousByteCount: try kibibytes("RssAnon:") << 10,
      fileByteCount: try kibibytes("RssFile:") << 10)
  }
}
