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

  @OptionGroup var database: ReadingOptions
  @OptionGroup var output: OutputOptions

  func validate() throws {
    guard !quick || !repair else {
      throw ValidationError("Give one of --quick and --repair: a repair looks at everything.")
    }
    guard !repair || !database.readOnly else {
      throw ValidationError("--repair writes: leave out --read-only.")
    }
    guard quick || (samples == nil && seed == nil) else {
      throw ValidationError("--samples and --seed are of --quick.")
    }
    guard (samples ?? 1) > 0 else { throw ValidationError("--samples takes a number from 1.") }
  }

  func run() throws {
    let report = try check()
    try output.report(report.jsonLine) { report.text($0.text) }
    if !report.isClean { throw ExitCode(ExitStatus.differences.rawValue) }
  }

  private func check() throws -> any CheckReport {
    // A repair opens the database for writing.
    if repair { return try database.database.run(RepairCall(), showing: "verify") }
    if quick {
      let call = QuickVerifyCall(sampleCount: samples ?? 5000, seed: seed)
      return try database.run(call, showing: "verify")
    }
    return try database.run(VerifyCall(), showing: "verify")
  }
}
