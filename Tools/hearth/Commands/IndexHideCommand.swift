import ArgumentParser
import Hearth

struct IndexHideCommand: JSONCommand {
  static let configuration = CommandConfiguration(
    commandName: "hide",
    abstract: "Keep queries from using an index, which is maintained all the same.",
    discussion: """
      A trial of a drop: queries run, and are refused, as if the index didn't exist, and unhide \
      brings it back at once. The exported index file contains it like all others.

        hearth index hide cities countryCode:asc population:desc
      """)

  @OptionGroup var index: IndexArguments
  @OptionGroup var database: DatabaseOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let definition = try index.definition()
    try database.withSession { session in
      _ = try session.run(IndexHideCall(definition, isHidden: true), on: definition)
    }
    try output.report(definition, "Hid \(definition.title).")
  }
}
