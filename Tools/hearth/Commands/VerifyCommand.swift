import AdminSocket
import ArgumentParser
import Hearth

struct VerifyCommand: JSONCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Compare documents with index entries, and mend what differs.",
    discussion: """
      All documents are compared with all index entries, both ways; with --quick only samples of \
      them, and the sums of entries where `hearth index tune --sums` keeps them. It says how \
      likely damage would have been noticed.

      With --repair entries are put that documents lack, and deleted that no document accounts \
      for. Documents that can't be read stay as they are: `hearth salvage` gets at what is left \
      of them.

      Ends with 2 where something differs, or can't be mended.

        hearth verify --db cities.hearth
        hearth verify --quick --samples 20000
        hearth verify --repair
      """)

  @Flag(help: "Compare sums and samples only.")
  var quick = false

  @Option(help: ArgumentHelp("How many documents are drawn.", valueName: "documents"))
  var samples: Int?

  @Option(help: ArgumentHelp("Draws the same samples again.", valueName: "number"))
  var seed: UInt64?

  @Flag(help: "Mend what differs.")
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
