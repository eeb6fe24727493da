import ArgumentParser
import Hearth

struct IndexDropCommand: IndexChangeCommand {
  static let configuration = CommandConfiguration(
    commandName: "drop",
    abstract: "Drop an index.",
    discussion: """
      The index is named as it was created. Queries stop using it at once; then its entries are \
      deleted. One field alone is removed from the field's own indexes.

        hearth index drop cities countryCode:asc population:desc
        hearth index drop cities description:asc
      """)

  @OptionGroup var index: IndexArguments
  @OptionGroup var database: DatabaseOptions
  @OptionGroup var output: OutputOptions

  var change: IndexChangeCall.Change { .drop }
  var done: String { "Dropped" }
}
