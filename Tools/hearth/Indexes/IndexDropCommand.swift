import ArgumentParser
import Hearth

struct IndexDropCommand: IndexChangeCommand {
  static let configuration = CommandConfiguration(
    commandName: "drop",
    abstract: "Drop an index.",
    discussion: """
      The index is named as it was created. Queries stop using it at once; then its entries are \
      deleted. One field alone is removed from the field's own indexes. The command asks before, \
      unless --yes is given; where there is no terminal to ask on, it needs --yes.

        hearth index drop cities countryCode:asc population:desc
        hearth index drop cities description:asc --yes
      """)

  @OptionGroup var index: IndexArguments

  @Flag(help: "Don't ask before the index is dropped.")
  var yes = false

  @OptionGroup var database: DatabaseOptions
  @OptionGroup var output: OutputOptions

  var change: IndexChangeCall.Change { .drop }
  var done: String { "Dropped" }

  func confirm(_ definition: IndexDefinition) throws {
    guard !yes else { return }
    try Confirmation.require("Drop \(definition.title)?", doing: "drops \(definition.title)")
  }
}
