import ArgumentParser
import Workbench

/// `count`: one engine and one workload over a store that is there, for a profiler.
struct Count: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "One engine and one workload, to be run under a profiler.",
    discussion: """
      The store is made in --folder by the first run and kept. The difference between the \
      instructions of two runs, of n operations and of 2n, over n is the cost of one.
      """)

  @Option(help: "The engine, as the tables name it.")
  var engine = Engine.hearth.rawValue

  @Option(help: "The workload: Q1 to Q7.")
  var workload = Workload.q2.rawValue

  @Option(help: "How many operations.")
  var operations = 100

  @Option(help: "How many documents the store has.")
  var documents = 10_000

  @Option(help: "The folder with the engines' stores.")
  var folder: String

  func run() throws {
    guard let engine = Engine(rawValue: engine) else {
      throw ValidationError("no engine is called \(engine)")
    }
    guard let workload = Workload(rawValue: workload),
      workload == .q7 || Workload.questions.contains(workload)
    else { throw ValidationError("\(workload) is no question") }
    let isNew = Disk.byteCount(at: engine.path(in: folder)) == 0
    let store = try engine.open(in: folder, indexes: .all, cacheMebibytes: 256)
    var tasks = SampleTasks(seed: 1, count: documents)
    var operands = Operands(users: tasks.users)
    for _ in 0..<(documents / 500) {
      let batch = tasks.next(500)
      operands.add(batch)
      if isNew { try store.insert(batch.map(PreparedTask.init)[...]) }
    }
    if isNew { try store.settle() }
    var random = SplitMix64(state: 7)
    let questions = (0..<100).map { _ in workload.question(operands, &random) }
    var tally = Tally()
    // Every question once first, so that what follows finds its blocks in memory.
    for question in workload == .q7 ? [] : questions { try store.answer(question, into: &tally) }
    for number in 0..<operations {
      try store.answer(questions[number % questions.count], into: &tally)
    }
    show("\(tally.count) results")
  }
}

/// Counts instructions in processes of its own, under valgrind.
struct InstructionCounter {
  let folder: String

  /// Instructions of one operation: the slope between n and 2n operations, so that starting and
  /// opening cancel out.
  ///
  /// - Returns: `nil` if valgrind is not installed.
  func count(_ workload: Workload, _ engine: Engine) throws -> InstructionCount? {
    // The first run makes the store.
    _ = try collect(engine, workload, 1, isCounted: false)
    guard
      let one = try collect(engine, workload, 100), let two = try collect(engine, workload, 200)
    else { return nil }
    return InstructionCount(
      workload: workload, contestant: engine.rawValue, count: Double(two - one) / 100)
  }

  private func collect(
    _ engine: Engine, _ workload: Workload, _ operations: Int,
    isCounted: Bool = true
  ) throws -> Int? {
    let output = "\(folder)/output"
    let child = [
      Program.ownPath, "count", "--engine", engine.rawValue, "--workload", workload.rawValue,
      "--operations", "\(operations)", "--folder", folder,
    ]
    let callgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    guard let status = Program.run((isCounted ? callgrind : []) + child, output: output)
    else { return nil }
    let text = String(decoding: try FileBytes.read(output), as: UTF8.self)
    guard status == 0 else {
      if isCounted, status == 127 { return nil }
      throw StudyError("\(child.joined(separator: " ")) failed: \(text)")
    }
    guard isCounted else { return 0 }
    guard
      let line = text.split(separator: "\n").last(where: { $0.contains("Collected :") }),
      let count = line.split(separator: " ").last.flatMap({ Int($0) })
    else { throw StudyError("valgrind printed no count: \(text)") }
    return count
  }
}

extension Suite {
  /// Instructions of the reads, of Hearth and of those it is to beat.
  func countInstructions() throws {
    try withStores("instructions") { path in
      let counter = InstructionCounter(folder: path)
      for workload in [Workload.q1, .q2, .q4, .q6] where runs(workload) {
        for engine in [Engine.sqliteJSON, .level, .hearth] {
          guard let count = try counter.count(workload, engine) else {
            return note("Instructions were not counted: valgrind is not installed.")
          }
          report.instructions.append(count)
        }
      }
      if !report.instructions.isEmpty { show(TextReport.table(report.instructions)) }
    }
  }
}
