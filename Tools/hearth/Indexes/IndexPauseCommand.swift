import ArgumentParser
import Hearth

struct IndexPauseCommand: JSONCommand {
  static let configuration = CommandConfiguration(
    commandName: "pause",
    abstract: "Pause the build of a composite index.",
    discussion: """
      The build continues when it is resumed, or when the index is created again. Until then it \
      stays paused, also when the database is opened again. Writers maintain the entries that \
      exist.

        hearth index pause cities countryCode:asc population:desc
      """)

  @OptionGroup var index: IndexArguments
  @OptionGroup var database: DatabaseOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let definition = try index.definition()
    try database.change(.pause, buildOf: definition)
    try output.report(definition, "Paused the build of \(definition.title).")
  }
}
