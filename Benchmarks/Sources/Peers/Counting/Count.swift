import ArgumentParser
import Workbench

/// `count`: one engine and one workload over an existing store, for a profiler.
struct Count: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "One engine and one workload, to be run under a profiler.",
    discussion: """
      The store is made in --folder by the first run and kept. Each run opens a copy of it, as a \
      store that was opened is not what it was before. The difference between the instructions \
      of two runs, over the difference between their numbers of operations, is the cost of one.
      """)

  @Option(help: "The engine, as the tables name it.")
  var engine = Engine.hearth.rawValue

  @Option(help: "The workload: Q1 to Q8, Q2-struct, W2, W2a, W3, W4 or W5.")
  var workload = Workload.q2.rawValue

  @Option(help: "How many operations.")
  var operations = 100

  @Option(help: "How many documents the store has.")
  var documents = 10_000

  @Option(help: "The folder with the engines' stores.")
  var folder: String

  /// Number of operations that are prepared. It doesn't depend on the number that runs, so that
  /// preparing is no part of the slope.
  private static let preparedCount = 1000

  func run() throws {
    guard let engine = Engine(rawValue: engine) else {
      throw ValidationError("no engine is called \(engine)")
    }
    guard let workload = Workload(rawValue: workload),
      workload.isCountable, !workload.inserts || operations <= Self.preparedCount
    else { throw ValidationError("\(workload) can't be counted, or not so often") }
    guard documents >= 500, documents.isMultiple(of: 500) else {
      throw ValidationError("--documents needs a multiple of 500")
    }
    let indexes = engine.indexes(for: workload)
    let home = "\(folder)/\(indexes.rawValue)"
    try Disk.makeFolder(home)
    var tasks = SampleTasks(seed: 1, count: documents)
    var operands = Operands(users: tasks.users)
    let isNew = Disk.byteCount(at: engine.path(in: home)) == 0
    if isNew || workload.needsTasks {
      try load(engine, indexes, in: home, isNew: isNew, &tasks, &operands)
    }
    let copy = "\(home)/copy"
    try Disk.makeFolder(copy)
    defer { Disk.remove(copy) }
    try Engine.copyStore(from: engine.path(in: home), to: engine.path(in: copy))
    let store = try open(engine, indexes, in: copy)
    if workload.writes {
      try write(workload, store, &tasks, &operands)
    } else {
      try ask(workload, store, operands)
    }
  }

  private func open(
    _ engine: Engine, _ indexes: IndexSet, in folder: String
  ) throws -> any Contestant {
    let store = try engine.open(
      in: folder, indexes: indexes,
      memory: MemorySettings(cacheMebibytes: 256, documentMebibytes: 256))
    if workload == Workload.q2Struct.rawValue, let hearth = store as? HearthContestant {
      return HearthContestant(decodingStructsOf: hearth)
    }
    return store
  }

  private func load(
    _ engine: Engine, _ indexes: IndexSet, in folder: String, isNew: Bool,
    _ tasks: inout SampleTasks, _ operands: inout Operands
  ) throws {
    let store = isNew ? try open(engine, indexes, in: folder) : nil
    for _ in 0..<(documents / 500) {
      let batch = tasks.next(500)
      operands.add(batch)
      try store?.insert(batch.map(PreparedTask.init)[...])
    }
    if let store {
      try engine.tune(store)
      try store.settle()
    }
  }

  private func ask(
    _ workload: Workload, _ store: any Contestant, _ operands: Operands
  ) throws {
    var random = SplitMix64(state: 7)
    let questions = (0..<100).map { _ in workload.question(operands, &random) }
    var tally = Tally()
    // The same warming as before timing, so that later operations find the caches filled.
    if workload == .q1 {
      for question in questions { try store.answer(question, into: &tally) }
    } else if workload != .q7 {
      try Readers.warm(store, asking: [workload], of: operands.users)
      for question in questions { try store.answer(question, into: &tally) }
    }
    for number in 0..<operations {
      try store.answer(questions[number % questions.count], into: &tally)
    }
    show("\(tally.count) results")
  }

  private func write(
    _ workload: Workload, _ store: any Contestant, _ tasks: inout SampleTasks,
    _ operands: inout Operands
  ) throws {
    switch workload {
    case .w3:
      for _ in 0..<operations { try store.insert(tasks.next(500).map(PreparedTask.init)[...]) }
    case .w4:
      for _ in 0..<operations {
        try store.buildIndex()
        try store.dropBuiltIndex()
      }
    case .q8:
      let new = tasks.next(Self.preparedCount).map(PreparedTask.init)
      var tally = Tally()
      for number in 0..<operations {
        try store.insert(new[number...number])
        try store.answer(.oldest, into: &tally)
        try store.remove(id: operands.ids[number])
      }
    case .w5:
      var random = SplitMix64(state: 7)
      let updates = (0..<Self.preparedCount).map { _ in operands.randomUpdate(&random) }
      var tally = Tally()
      for update in updates { try store.answer(.task(id: update.id), into: &tally) }
      for update in updates.prefix(operations) {
        try store.setCompleted(update.completed, of: update.id)
      }
    default:
      let new = tasks.next(Self.preparedCount).map(PreparedTask.init)
      for number in 0..<operations { try store.insert(new[number...number]) }
    }
    show("\(operations) writes")
  }
}

extension Workload {
  fileprivate var writes: Bool { inserts || self == .w3 || self == .w4 }

  /// Whether the workload needs the ids of the existing tasks, or the tasks that follow them.
  fileprivate var needsTasks: Bool { writes || self == .q1 }

  fileprivate var inserts: Bool { self == .w2 || self == .w2a || self == .w5 || self == .q8 }

  fileprivate var isCountable: Bool {
    writes || self == .q7 || self == .q2Struct || Workload.questions.contains(self)
  }
}

extension Engine {
  fileprivate func indexes(for workload: Workload) -> IndexSet {
    switch self {
    case .hearthAutomatic, .sqliteSingles: .singles
    default: workload == .q8 ? .singles : workload.isOnReadStores ? .all : .composites
    }
  }
}
