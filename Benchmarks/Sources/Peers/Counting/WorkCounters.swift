import Hearth
import Workbench

/// The work counters of Hearth's operations, on data that is always the same. They include no time,
/// so a change of these figures is a change of the engine.
enum WorkCounters {
  static let seed: UInt64 = 1
  private static let documentCount = 10_000
  private static let questionCount = 200

  static func count(in folder: String, seed: UInt64) throws -> [WorkCounter] {
    var counters: [WorkCounter] = []
    for (name, indexes) in [
      ("", IndexSet.all), (", automatic only", .singles), (", exempted", .composites),
    ] {
      let path = "\(folder)/work"
      defer { Disk.remove(path) }
      let hearth = try HearthContestant(
        StoreSettings(
          path: path, indexes: indexes,
          memory: MemorySettings(cacheMebibytes: 64, documentMebibytes: 0)),
        keeping: HearthMemory())
      let operands = try load(hearth, seed)
      let report = try hearth.database.verify()
      guard report.isClean, report.documentCount == documentCount else {
        throw StudyError("the database that was loaded is not sound")
      }
      counters.append(
        WorkCounter(
          name: "W entries per document\(name)",
          value: Double(report.entryCount) / Double(documentCount)))
      let workloads: [Workload] =
        switch indexes {
        case .all: Workload.questions.filter { $0 != .q1 } + [.q7, .q8]
        case .singles: [.q6]
        case .composites, .none: []
        }
      if indexes == .all {
        let byTime = HearthContestant(countingByTime: hearth)
        counters += try count(.q4, ", by time", byTime, operands, seed)
      }
      for workload in workloads {
        counters += try count(workload, name, hearth, operands, seed)
      }
    }
    return counters
  }

  private static func load(_ hearth: HearthContestant, _ seed: UInt64) throws -> Operands {
    var tasks = SampleTasks(seed: seed, count: documentCount)
    var operands = Operands(users: tasks.users)
    try hearth.load(documentCount, from: &tasks) { operands.add($0) }
    return operands
  }

  private static func count(
    _ workload: Workload, _ suffix: String, _ hearth: HearthContestant, _ operands: Operands,
    _ seed: UInt64
  ) throws -> [WorkCounter] {
    var random = SplitMix64(state: seed)
    var totals = (entries: 0, documents: 0, seeks: 0)
    let count = workload == .q7 ? 1 : questionCount
    for _ in 0..<count {
      let question = workload.question(operands, &random)
      guard let work = try hearth.work(of: question) else { continue }
      totals.entries += work.entriesRead
      totals.documents += work.documentsRead
      totals.seeks += work.seekCount
    }
    func counter(_ name: String, _ total: Int) -> WorkCounter {
      WorkCounter(
        name: "\(workload.rawValue) \(name)\(suffix)", value: Double(total) / Double(count))
    }
    let entries = [counter("entries", totals.entries), counter("seeks", totals.seeks)]
    // A count reads no document, but the explanation that supplies its counters runs the query.
    return workload == .q4 ? entries : entries + [counter("documents", totals.documents)]
  }
}
