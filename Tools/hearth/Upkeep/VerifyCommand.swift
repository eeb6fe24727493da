import HearthAdminSocket
import ArgumentParser
import Hearth

struct VerifyCommand: JSONCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Compare documents with index entries, and repair differences.",
    discussion: """
      Compares every document with every index entry, both ways. With --quick, compares only \
      samples of them, and the sums of entries that `hearth index tune --sums` keeps, and reports \
      the probability that scattered damage would have been noticed.

      With --repair, puts the entries that documents lack, deletes the entries of no document, and \
      counts wrong counts anew. Documents that can't be read stay as they are: `hearth salvage` \
      recovers what is left of them.

      Ends with 2 if something differs or, with --repair, can't be repaired.

        hearth verify --db cities.hearth
        hearth verify --quick --samples 20000
        hearth verify --repair
      """)

  @Flag(help: "Compare sums and samples only.")
  var quick = false

  @Option(help: ArgumentHelp("Number of documents to draw.", valueName: "documents"))
  var samples: Int?

  @Option(help: ArgumentHelp("Seed of the draw, which repeats it.", valueName: "number"))
  var seed: UInt64?

  @Flag(help: "Repair the differences.")
  var repair = false

  @OptionGroup var database: DatabaseOptions
  @OptionGroup var output: OutputOptions

  func validate() throws {
    guard !quick || !repair else {
      throw ValidationError("Give one of --quick and --repair: a repair looks at everything.")
    }
    guard quick || (samples == nil && seed == nil) else {
      throw ValidationError("--samples and --seed are of --quick.")
    }
    guard (samples ?? 1) > 0 else { throw ValidationError("--samples takes a number from 1.") }
  }

  func run() throws {
    let bar = ProgressBar(title: "verify", unit: "documents")
    defer { bar.finish() }
    let report = try database.withSession { try check($0, bar) }
    bar.finish()
    try OutputWriter.withWriter { writer in
      if output.json {
        try writer.print(report.jsonLine)
      } else {
        try writer.append(report.text(OutputStyle.standardOutput(json: false).text))
      }
    }
    if !report.isClean { throw ExitCode(ExitStatus.differences.rawValue) }
  }

  private func check(
    _ session: AdminSession, _ bar: ProgressBar
  ) throws -> any CheckReport {
    func update(_ count: AdminCount) { bar.update(count: count.count, fraction: nil) }
    if repair { return try session.run(RepairCall(), update) }
    if quick {
      return try session.run(QuickVerifyCall(sampleCount: samples ?? 5000, seed: seed), update)
    }
    return try session.run(VerifyCall(), update)
  }
}
