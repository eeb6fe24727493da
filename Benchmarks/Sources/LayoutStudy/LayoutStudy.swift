import Workbench
import ArgumentParser

/// A comparison of key layouts on raw LevelDB with each other and with SQLite, in one process.
@main
struct LayoutStudy: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "LayoutStudy",
    abstract: "Compares key layouts on raw LevelDB with each other and with SQLite.",
    discussion: """
      Every contestant of a table runs in this process, in alternating slices over the same random \
      operands; answers are compared document for document before anything is timed. LevelDB \
      verifies checksums throughout.
      """,
    subcommands: [
      CompareLayouts.self, CompareSettings.self, CompareDirections.self, CompareGroupKeys.self,
      CountInstructions.self,
    ],
    defaultSubcommand: CompareLayouts.self)
}

/// The options that every comparison has.
struct StudyOptions: ParsableArguments {
  @Option(help: "How many documents are loaded.")
  var documents = 100_000

  @Option(help: "How many rounds a read is measured for.")
  var rounds = 39

  @Option(help: "The seed of data and operands.")
  var seed: UInt64 = 1

  @Option(help: "The block or page cache of each contestant, in MiB.")
  var cache = 256

  @Option(help: "The folder in which the databases are made.")
  var folder = "/tmp"

  @Flag(inversion: .prefixedNo, help: "Compact LevelDB's tables before reading.")
  var compact = true

  func validate() throws {
    guard documents >= 1000 else { throw ValidationError("--documents needs at least 1000") }
    guard rounds >= 1 else { throw ValidationError("--rounds needs at least 1") }
  }

  var scanLimit: Int { min(20_000, documents) }

  var settings: LevelSettings {
    var settings = LevelSettings()
    settings.cacheMebibytes = cache
    return settings
  }

  func sampleTasks() -> SampleTasks { SampleTasks(seed: seed, count: documents) }

  /// Runs `body` with a new folder, which is removed afterwards.
  func withFolder(_ body: (String) throws -> Void) throws {
    let path = try Disk.makeTemporaryFolder(in: folder)
    defer { Disk.remove(path) }
    try body(path)
  }
}
