import ArgumentParser
import Hearth

struct CompactCommand: JSONCommand {
  static let configuration = CommandConfiguration(
    commandName: "compact",
    abstract: "Rewrite the files without what was deleted or overwritten.",
    discussion: """
      Afterwards they are smaller, and queries skip nothing. All of the database is read and \
      written once.

        hearth compact --db cities.hearth
      """)

  @OptionGroup var database: DatabaseOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    _ = try database.withSession { try $0.run(CompactCall()) }
    guard output.json else { return }
    try OutputWriter.withWriter { try $0.print(JSONLine()) }
  }
}
