import ArgumentParser
import Hearth

struct CompactCommand: JSONCommand {
  static let configuration = CommandConfiguration(
    commandName: "compact",
    abstract: "Rewrite the files without deleted and overwritten data.",
    discussion: """
      The whole database is read and written once. Afterwards the files are smaller, and queries \
      skip no deleted entries.

        hearth compact --db cities.hearth
      """)

  @OptionGroup var database: DatabaseOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    _ = try database.run(CompactCall())
    guard output.json else { return }
    try OutputWriter.withWriter { try $0.print(JSONLine()) }
  }
}
