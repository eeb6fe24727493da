import ArgumentParser
import Hearth

struct IndexUnhideCommand: IndexChangeCommand {
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

  var change: IndexChangeCall.Change { .unhide }
  var done: String { "Unhid" }
}
