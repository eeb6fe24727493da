import ArgumentParser
import FoundationEssentials
import Hearth
import Workbench

/// `probe`: one step of the study of scale. It is a process of its own, so that its memory is
/// separate and it can end by a kill.
struct Probe: ParsableCommand {
  /// A step of the study.
  enum Step: String, Codable, ExpressibleByArgument {
    /// Loads the store in batches of 500. All indexes are there from the beginning.
    case load
    /// Opens and closes the store a few times.
    case open
    /// Asks a store that was just opened. Hearth keeps no documents, names or scans.
    case cold
    /// Asks users and ids that were all asked before.
    case hot
    /// Inserts tasks one by one without sync, and builds an index.
    case write
    /// Inserts tasks one by one with sync, and ends by a kill.
    case kill
    /// Opens the store once.
    case reopen
  }

  static let configuration = CommandConfiguration(
    abstract: "One step of the study of scale.", shouldDisplay: false)

  @Option var step: Step
  @Option var engine: Engine
  @Option var folder: String
  @Option var documents: Int
  @Option var cache = 256
  @Option var tables: Int?

  private static let questionCount = 2000
  private static let hotUserCount = 1000
  private static let sampledIDCount = 10_000
  private static let insertCount = 2000

  func run() throws {
    var result = ProbeResult()
    switch step {
    case .load: try load(&result)
    case .open: result.seconds = Spread(try (0..<5).map { _ in try openingTime() }).median
    case .reopen: result.seconds = try openingTime()
    case .cold: try ask(try store(keeping: HearthMemory()), of: users, &result)
    case .hot:
      let store = try store()
      let users = users.prefix(Probe.hotUserCount)
      try warm(store, of: Array(users))
      try ask(store, of: users, &result)
    case .write: try write(&result)
    case .kill: try insertAndEnd()
    }
    if result.memory == nil { result.memory = try ResidentMemory.now() }
    let json = try JSONEncoder().encode(result)
    show(String(decoding: json, as: UTF8.self))
  }

  private func store(
    keeping memory: HearthMemory = .all, isDurable: Bool = false
  ) throws -> any Contestant {
    let settings = StoreSettings(
      path: engine.path(in: folder), indexes: .all,
      memory: MemorySettings(
        cacheMebibytes: cache, documentMebibytes: cache, openTableCount: tables),
      isDurable: isDurable)
    guard engine == .hearth else {
      return try SQLiteContestant(settings, form: .json, name: engine.rawValue)
    }
    return try HearthContestant(settings, keeping: memory)
  }

  private func openingTime() throws -> Double {
    let start = Clock.wall()
    let store = try store(isDurable: true)
    let time = Clock.wall() - start
    try (store as? HearthContestant)?.database.close()
    return time
  }

  // MARK: Writing

  /// Loads the tasks, and writes the ids of some, evenly spread, into a file for later steps.
  private func load(_ result: inout ProbeResult) throws {
    let store = try store(keeping: HearthMemory())
    var tasks = SampleTasks(seed: 1, count: documents)
    var ids: [String] = []
    let distance = max(1, documents / Probe.sampledIDCount)
    result.seconds = try store.load(documents, from: &tasks) { batch in
      ids += batch.filter { $0.task.number.isMultiple(of: UInt64(distance)) }.map(\.task.id)
    }
    result.memory = try ResidentMemory.now()
    try FileBytes.write(ids.joined(separator: "\n").utf8, to: idFile)
  }

  private func write(_ result: inout ProbeResult) throws {
    let store = try store()
    let tasks = newTasks(seed: 2)
    let inserts = try Slice.timing(tasks.count, writes: true) { try store.insert(tasks[$0...$0]) }
    result.insert = Latencies(microseconds: inserts.latencies).percentiles
    let start = Clock.wall()
    try store.buildIndex()
    result.seconds = Clock.wall() - start
    try store.dropBuiltIndex()
  }

  private func insertAndEnd() throws {
    let store = try store(isDurable: true)
    for task in newTasks(seed: 3) { try store.insert([task]) }
    Program.killSelf()
  }

  private func newTasks(seed: UInt64) -> [PreparedTask] {
    var tasks = SampleTasks(seed: seed, count: documents)
    return tasks.next(Probe.insertCount).map(PreparedTask.init)
  }

  // MARK: Reading

  private var users: ArraySlice<String> { SampleTasks(seed: 1, count: documents).users[...] }
  private var idFile: String { "\(engine.path(in: folder)).ids" }

  private func ids() throws -> [String] {
    String(decoding: try FileBytes.read(idFile), as: UTF8.self).split(separator: "\n")
      .map(String.init)
  }

  private func warm(_ store: any Contestant, of users: [String]) throws {
    try Readers.warm(store, asking: [.q2, .q4], of: users)
    var tally = Tally()
    for id in try ids() { try store.answer(.task(id: id), into: &tally) }
  }

  /// Asks each kind of question a number of times, of random users and ids.
  private func ask(
    _ store: any Contestant, of users: ArraySlice<String>, _ result: inout ProbeResult
  ) throws {
    let ids = try ids()
    var random = SplitMix64(state: 5)
    func latencies(_ makeQuestion: () -> Question) throws -> Percentiles {
      let questions = (0..<Probe.questionCount).map { _ in makeQuestion() }
      var tally = Tally()
      let answers = try Slice.timing(questions.count) {
        try store.answer(questions[$0], into: &tally)
      }
      return Latencies(microseconds: answers.latencies).percentiles
    }
    func user() -> String { users[Int.random(in: users.indices, using: &random)] }
    result.get = try latencies { .task(id: ids[Int.random(in: ids.indices, using: &random)]) }
    result.page = try latencies { .newest(userId: user()) }
    result.count = try latencies { .openCount(userId: user()) }
  }
}

extension Engine: ExpressibleByArgument {}

/// The result of a step.
struct ProbeResult: Codable {
  var seconds: Double?
  var get: Percentiles?
  var page: Percentiles?
  var count: Percentiles?
  var insert: Percentiles?
  var memory: ResidentMemory?
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
