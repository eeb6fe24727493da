import Workbench
import ArgumentParser

/// `layouts`: the layouts against SQLite, reads and writes.
struct CompareLayouts: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "layouts", abstract: "The layouts against SQLite: reads, writes and bytes.")

  @OptionGroup var options: StudyOptions

  @Flag(help: "Leave the writes out, but for the load.")
  var readsOnly = false

  @Option(help: "Time only this workload, named by its beginning (repeatable).")
  var workload: [String] = []

  func run() throws {
    try options.withFolder { folder in
      print("## Layouts, \(options.documents) documents, seed \(options.seed)\n")
      try compareReads(in: folder)
      if !readsOnly { try compareLoads(in: folder) }
    }
  }

  private func compareReads(in folder: String) throws {
    let indexes = SampleIndex.composites + SampleIndex.singles
    let sqlite = try SQLiteStore(
      at: "\(folder)/reads.sqlite", indexes: indexes, cacheMebibytes: options.cache)
    let stores = try Layout.allCases.map { layout in
      try LayoutStore(
        at: "\(folder)/reads-\(layout.rawValue)", layout: layout, indexes: indexes,
        settings: options.settings)
    }
    let writers: [any Writer] = [sqlite] + stores
    var tasks = options.sampleTasks()
    var operands = Operands()
    operands.users = tasks.users
    let load = try load(
      writers, &tasks, count: options.documents, title: "W3 bulk load, 5 composites + 6 singles",
      operands: &operands)
    print(load.process.table, load.wall.table, separator: "\n")
    try sqlite.settle()
    if options.compact { for store in stores { store.database.compact() } }
    print(diskTable(writers, count: options.documents, batchBytes: load.batchBytes))
    try compareReads(makeReaders(sqlite) + stores.flatMap { try makeReaders($0) }, operands)
    guard !readsOnly else { return }
    print(
      try measureUpdates(
        writers, operands: operands, rounds: 11, updatesPerSlice: 500, seed: options.seed
      ).table)
  }

  private func compareReads(_ readers: [any Reader], _ operands: Operands) throws {
    try checkAnswers(of: readers, operands: operands, questions: 100, seed: options.seed &+ 1)
    print("Answers agree.\n")
    let chosen = Workload.allCases.filter { candidate in
      workload.isEmpty || workload.contains { candidate.rawValue.hasPrefix("\($0) ") }
    }
    guard !chosen.isEmpty else { throw ValidationError("no workload is called \(workload)") }
    for workload in chosen {
      let measurement = try measure(
        workload, readers, operands: operands, rounds: options.rounds, queriesPerSlice: 200,
        scanLimit: options.scanLimit, seed: options.seed &+ 2)
      print(measurement.table)
    }
  }

  /// Compares W3 with composite indexes only, and W1.
  private func compareLoads(in folder: String) throws {
    let indexes = SampleIndex.composites
    let count = max(10_000, options.documents / 2)
    func writers(_ label: String, isDurable: Bool) throws -> [any Writer] {
      [
        try SQLiteStore(
          at: "\(folder)/\(label).sqlite", indexes: indexes, cacheMebibytes: options.cache,
          isDurable: isDurable)
      ]
        + (try Layout.allCases.map { layout in
          try LayoutStore(
            at: "\(folder)/\(label)-\(layout.rawValue)", layout: layout, indexes: indexes,
            settings: options.settings)
        })
    }
    var tasks = options.sampleTasks()
    var operands = Operands()
    let bulk = try load(
      try writers("bulk", isDurable: false), &tasks, count: count,
      title: "W3 bulk load, 5 composites", operands: &operands)
    print(bulk.process.table, bulk.wall.table, separator: "\n")
    let durable = try load(
      try writers("single", isDurable: true), &tasks, count: 2_000,
      title: "W1 durable inserts, 5 composites", batchSize: 1, sliceSize: 100, sync: true,
      operands: &operands)
    print(durable.process.table, durable.wall.table, separator: "\n")
  }
}
