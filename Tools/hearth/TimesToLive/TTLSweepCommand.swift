import HearthAdminSocket
import ArgumentParser
import Hearth

struct TTLSweepCommand: JSONCommand {
  static let configuration = CommandConfiguration(
    commandName: "sweep",
    abstract: "Delete now the documents whose time is past.",
    discussion: """
      The documents of a collection id whose times are the oldest are deleted first, a hundred in \
      each commit.

        hearth ttl sweep
      """)

  @OptionGroup var database: DatabaseOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let count = try database.run(SweepCall(), showing: "sweep").count
    try output.report(["documents": count], "Deleted \(Figure.documents(count)).")
  }
}
