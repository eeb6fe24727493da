import ArgumentParser
import FoundationEssentials
import Workbench

/// A comparison of Hearth with SQLite, GRDB and raw LevelDB: the same tasks, the same questions,
/// one process.
@main
struct Peers: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "Peers",
    abstract: "Hearth beside SQLite, GRDB and raw LevelDB.",
    discussion: """
      All engines run in this process, in alternating slices over the same random operands; their \
      answers are compared document for document before anything is timed.
      """,
    subcommands: [
      Compare.self, Check.self, Count.self, ReaderScale.self, Scale.self, Probe.self,
      WarmStart.self,
    ],
    defaultSubcommand: Compare.self)
}

/// The options of every run.
struct PeersOptions: ParsableArguments {
  @Option(help: "How many documents the reads have.")
  var documents = 100_000

  @Option(help: "How many documents the writes begin with.")
  var preload = 50_000

  @Option(help: "How many rounds a workload is measured for.")
  var rounds = 40

  @Option(help: "How many questions of each kind are compared in full first.")
  var checks = 100

  @Option(help: "How many tasks pass through the queue of Q8.")
  var queueCycles = 20_000

  @Option(help: "The seed of data and operands.")
  var seed: UInt64 = 1

  @Option(
    help: """
      The block or page cache of each engine, in MiB; by default 256, or 1200 for a million \
      documents.
      """)
  var cache: Int?

  @Option(
    help: """
      Hearth's cache of documents where it is not called cold, in MiB; by default a KiB for each \
      document, and 64 at least.
      """)
  var documentCache: Int?

  @Option(help: "The folder in which the databases are made.")
  var folder = "/tmp"

  @Option(
    help: """
      Run only this workload (repeatable): \
      \(Workload.allCases.map(\.rawValue).sorted().joined(separator: ", ")).
      """)
  var workload: [String] = []

  var memory: MemorySettings {
    MemorySettings(
      cacheMebibytes: cache ?? (documents >= 1_000_000 ? 1200 : 256),
      documentMebibytes: documentCache ?? max(64, max(documents, preload) / 1000))
  }

  func validate() throws {
    guard documents >= 1000, documents.isMultiple(of: 500), preload >= 1000,
      preload.isMultiple(of: 500)
    else {
      throw ValidationError("--documents and --preload need multiples of 500, at least 1000")
    }
    guard rounds >= 3 else { throw ValidationError("--rounds needs at least 3") }
    guard queueCycles >= 1 else { throw ValidationError("--queue-cycles needs at least 1") }
    for name in workload where Workload(rawValue: name) == nil {
      throw ValidationError("no workload is called \(name)")
    }
  }

  /// Runs `body` with a new folder, which is removed afterwards.
  func withFolder(_ body: (String) throws -> Void) throws {
    let path = try Disk.makeTemporaryFolder(in: folder)
    defer { Disk.remove(path) }
    try body(path)
  }
}

/// `compare`: the whole comparison.
struct Compare: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Time every workload, and count Hearth's work.")

  @OptionGroup var options: PeersOptions

  @Option(help: "Write all figures into this file, as JSON.")
  var json: String?

  @Option(help: "Write the report into this file, as one HTML page.")
  var html: String?

  @Flag(help: "Count instructions under valgrind too.")
  var instructions = false

  func run() throws {
    try options.withFolder { folder in
      let suite = Suite(options, folder: folder)
      show("## \(options.documents) documents, seed \(options.seed)\n")
      try suite.run()
      if options.workload.isEmpty {
        suite.report.work = try WorkCounters.count(in: folder, seed: WorkCounters.seed)
        show(TextReport.table(suite.report.work))
      }
      if instructions { try suite.countInstructions() }
      show(TextReport.table(suite.report.goals))
      if let json { try suite.report.write(json: json) }
      if let html { try FileBytes.write(HTMLReport.page(suite.report).utf8, to: html) }
    }
  }
}

extension Report {
  func write(json path: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    try FileBytes.write(encoder.encode(self), to: path)
  }
}
