import ArgumentParser
import Hearth

struct IndexUnhideCommand: JSONCommand {
  static let configuration = CommandConfiguration(
    commandName: "unhide",
    abstract: "Let queries use a hidden index again.",
    discussion: """
      The index was maintained while it was hidden, so queries use it at once.

        hearth index unhide cities countryCode:asc population:desc
      """)

  @OptionGroup var index: IndexArguments
  @OptionGroup var database: DatabaseOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let definition = try index.definition()
    try database.withSession { session in
      _ = try session.run(IndexHideCall(definition, isHidden: false), on: definition)
    }
    try output.report(definition, "Unhid \(definition.title).")
  }
}
