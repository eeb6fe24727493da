import Workbench

/// A run of the stores and the workloads over them, with the report that grows.
final class Suite {
  static let append = "append + fdatasync"
  static let structs = "Hearth, structs"

  static func writers(_ count: Int) -> String {
    "Hearth, \(count) writer\(count == 1 ? "" : "s")"
  }

  let options: PeersOptions
  let folder: String
  let processorCache = ProcessorCache()
  var report: Report

  init(_ options: PeersOptions, folder: String) {
    self.options = options
    self.folder = folder
    report = Report(
      environment: Report.Environment(
        documents: options.documents, rounds: options.rounds, seed: options.seed,
        cacheMebibytes: options.memory.cacheMebibytes,
        documentCacheMebibytes: options.memory.documentMebibytes, sqlite: SQLiteDatabase.version,
        levelDB: LevelDatabase.version, processors: Program.processorCount))
  }

  func runs(_ workload: Workload) -> Bool {
    options.workload.isEmpty || options.workload.contains(workload.rawValue)
  }

  /// Runs the chosen workloads.
  func run() throws {
    try noteDecoding()
    if Workload.allCases.contains(where: { $0.isOnReadStores && runs($0) }) {
      try runReadStores()
    }
    if runs(.w3Whole) { add(try measureWholeLoads()) }
    if Workload.allCases.contains(where: { $0.isOnWriteStores && runs($0) }) {
      try runWriteStores()
    }
    if runs(.q8) { try runQueue() }
  }

  func add(_ measurement: Measurement) {
    let result = measurement.result
    report.workloads.append(result)
    show(TextReport.table(result))
  }

  func note(_ text: String) {
    report.notes.append(text)
    show("Note: \(text)\n")
  }

  /// Adds a note on the speed at which rows are parsed into fields, to rule out a slow parser as
  /// the cause of a result.
  private func noteDecoding() throws {
    var tasks = SampleTasks(seed: options.seed, count: 1000)
    let prepared = tasks.next(1000).map(PreparedTask.init)
    let byteCount = prepared.reduce(0) { $0 + $1.json.count } / prepared.count
    func microseconds(_ decode: (PreparedTask) throws -> ParsedDocument) throws -> Double {
      let rounds = try (0..<20).map { _ in
        var fieldCount = 0
        let slice = try Slice.timing(1, unitCount: prepared.count) { _ in
          for task in prepared { fieldCount += try decode(task).fieldCount }
        }
        guard fieldCount == 8000 else { throw StudyError("a task is decoded wrongly") }
        return slice.median
      }
      return Spread(rounds).median
    }
    let json = try microseconds { try $0.json.withUnsafeBytes { try ParsedDocument(json: $0) } }
    let record = try microseconds {
      try $0.record.withUnsafeBytes { try ParsedDocument(record: $0) }
    }
    note(
      "A document's JSON, \(byteCount) bytes, is parsed into fields in \(json.short) us; "
        + "LevelDB's binary record in \(record.short) us.")
  }

  /// Runs `body` with a new folder for stores, which is removed with its contents afterwards.
  func withStores(_ name: String, _ body: (String) throws -> Void) throws {
    let path = "\(folder)/\(name)"
    try Disk.makeFolder(path)
    defer { Disk.remove(path) }
    try body(path)
  }

  func open(
    _ engines: [Engine], in folder: String, _ indexes: IndexSet, isDurable: Bool = false
  ) throws -> [any Contestant] {
    try engines.map {
      try $0.open(
        in: folder, indexes: indexes, memory: options.memory, isDurable: isDurable)
    }
  }

  /// Loads tasks into every store, in batches of 500 and slices of 5000 that alternate.
  func load(
    _ contestants: [any Contestant], _ tasks: inout SampleTasks, count: Int, as workload: Workload,
    operands: inout Operands
  ) throws -> Measurement {
    var measurement = Measurement(workload, names: contestants.map(\.name))
    var loaded = 0
    while loaded < count {
      let slice = tasks.next(min(5000, count - loaded)).map(PreparedTask.init)
      operands.add(slice)
      loaded += slice.count
      try measurement.addRound { contestant in
        try Slice.timing(slice.count / 500, unitCount: 500, writes: true) { batch in
          let start = batch * 500
          try contestants[contestant].insert(slice[start..<min(start + 500, slice.count)])
        }
      }
    }
    return measurement
  }

  /// Asks every contestant the same questions and compares all fields of the answers.
  func checkAnswers(
    _ contestants: [any Contestant], _ workloads: [Workload], operands: Operands
  ) throws {
    var random = SplitMix64(state: options.seed &+ 1)
    for workload in workloads where workload != .q4 && workload != .q7 {
      for _ in 0..<options.checks {
        let question = workload.question(operands, &random)
        let expected = try contestants[0].tasks(answering: question)
        guard !expected.isEmpty || workload == .q6 else {
          throw StudyError("\(question) found nothing")
        }
        for contestant in contestants.dropFirst()
        where try contestant.tasks(answering: question) != expected {
          throw StudyError("\(contestant.name) answers \(question) otherwise")
        }
      }
    }
  }
}
