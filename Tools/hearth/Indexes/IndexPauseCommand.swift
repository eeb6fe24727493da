import ArgumentParser
import Hearth

struct IndexPauseCommand: IndexChangeCommand {
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

  var change: IndexChangeCall.Change { .pause }
  var done: String { "Paused the build of" }
}
