import Workbench

/// A counter of instructions in separate processes, under valgrind.
struct InstructionCounter {
  /// Workloads of Hearth whose instructions are counted and kept as thresholds.
  static let hearth: [(Workload, Engine)] = [
    (.q1, .hearth), (.q2, .hearth), (.q2, .hearthRows), (.q2, .hearthFields),
    (.q2, .hearthUnread), (.q2Struct, .hearth), (.q2, .hearthNoScans), (.q4, .hearth),
    (.q4, .hearthByTime), (.q4, .hearthCounts), (.q2, .hearthCovering), (.q2, .hearthCold),
    (.q6, .hearthAutomatic),
    (.w2, .hearth), (.w5, .hearth), (.q8, .hearth),
  ]

  let folder: String

  /// Returns the instructions of one operation: the slope between two numbers of operations, so
  /// that starting and opening cancel out.
  ///
  /// They take some 45,000 instructions more or less from one run to the next. Many reads share
  /// these; of writes no more are counted, since each costs more than the one before.
  ///
  /// - Returns: the count, or `nil` if valgrind is not installed.
  func count(_ workload: Workload, _ engine: Engine) throws -> InstructionCount? {
    // The first run makes the store.
    _ = try collect(engine, workload, 1, isCounted: false)
    let few = 100
    let many = workload.isOnReadStores ? 600 : 200
    guard
      let start = try collect(engine, workload, few), let end = try collect(engine, workload, many)
    else { return nil }
    return InstructionCount(
      workload: workload, engine: engine, count: Double(end - start) / Double(many - few))
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
  /// Counts instructions of Hearth and of the contestants in its goals.
  func countInstructions() throws {
    try withStores("instructions") { path in
      let counter = InstructionCounter(folder: path)
      let peers = [Workload.q1, .q2, .q4, .q6, .w2, .w5].flatMap { workload in
        [Engine.sqliteJSON, .level].map { (workload, $0) }
      }
      for (workload, engine) in peers + InstructionCounter.hearth where runs(workload) {
        guard let count = try counter.count(workload, engine) else {
          return note("Instructions were not counted: valgrind is not installed.")
        }
        report.instructions.append(count)
      }
      report.instructions.sort { $0.workload.rawValue < $1.workload.rawValue }
      if !report.instructions.isEmpty { show(TextReport.table(report.instructions)) }
    }
  }
}
