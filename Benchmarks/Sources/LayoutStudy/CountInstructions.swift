import Workbench
import ArgumentParser

/// `count`: one reader and one workload, for a profiler that counts instructions.
struct CountInstructions: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "count",
    abstract: "One reader and one workload, to be run under a profiler.",
    discussion: """
      Under valgrind --tool=callgrind --collect-atstart=no --toggle-collect='*runSlice*' the \
      instructions collected, divided by the queries printed, are the cost of one query.
      """)

  @OptionGroup var options: StudyOptions

  @Option(help: "The reader, by the name that the tables of `layouts` give it.")
  var reader: String

  @Option(help: "The workload, by the beginning of its name.")
  var workload: String

  func run() throws {
    guard let workload = Workload.allCases.first(where: { $0.rawValue.hasPrefix("\(workload) ") })
    else { throw ValidationError("no workload is called \(workload)") }
    try options.withFolder { folder in
      let indexes = SampleIndex.composites + SampleIndex.singles
      let storeName = reader.prefix { $0 != "," }
      let writer: any Writer
      if let layout = Layout(rawValue: String(storeName)) {
        writer = try LayoutStore(
          at: "\(folder)/store", layout: layout, indexes: indexes, settings: options.settings)
      } else {
        writer = try SQLiteStore(
          at: "\(folder)/store", indexes: indexes, cacheMebibytes: options.cache)
      }
      var tasks = options.sampleTasks()
      var operands = Operands()
      operands.users = tasks.users
      _ = try load(
        [writer], &tasks, count: options.documents, title: "load", operands: &operands)
      try run(workload, on: chosenReader(of: writer), operands)
    }
  }

  private func chosenReader(of writer: any Writer) throws -> any Reader {
    let readers: [any Reader]
    switch writer {
    case let store as LayoutStore:
      if options.compact { store.database.compact() }
      readers = try makeReaders(store)
    case let store as SQLiteStore:
      readers = try makeReaders(store)
    default: readers = []
    }
    guard let chosen = readers.first(where: { $0.name == reader }) else {
      throw ValidationError("no reader is called \(reader)")
    }
    return chosen
  }

  private func run(_ workload: Workload, on reader: any Reader, _ operands: Operands) throws {
    var random = SplitMix64(state: options.seed)
    let queries = (0..<200).map { _ in
      workload.query(operands, scanLimit: options.scanLimit, random: &random)
    }
    for _ in 0..<options.rounds { _ = try runSlice(reader, queries, workload) }
    print("\(options.rounds * queries.count) queries")
  }
}
