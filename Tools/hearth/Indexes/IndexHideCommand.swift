import ArgumentParser
import Hearth

struct IndexHideCommand: IndexChangeCommand {
  static let configuration = CommandConfiguration(
    commandName: "hide",
    abstract: "Hide an index from queries; writes still maintain it.",
    discussion: """
      This tries out the drop of a composite index. Queries run, and are refused, as if it didn't \
      exist; listeners that only this index served end. `hearth index unhide` lets queries use it \
      again, at once. The exported index file contains it like all others. A single-field index \
      can't be hidden.

        hearth index hide cities countryCode:asc population:desc
      """)

  @OptionGroup var index: IndexArguments
  @OptionGroup var database: DatabaseOptions
  @OptionGroup var output: OutputOptions

  var change: IndexChangeCall.Change { .hide }
  var done: String { "Hid" }
}
