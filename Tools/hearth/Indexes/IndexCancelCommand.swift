import ArgumentParser
import Hearth

struct IndexCancelCommand: IndexChangeCommand {
  static let configuration = CommandConfiguration(
    commandName: "cancel",
    abstract: "Cancel the build of an index.",
    discussion: """
      The index is dropped with all its entries, as by `hearth index drop`.

        hearth index cancel cities countryCode:asc population:desc
      """)

  @OptionGroup var index: IndexArguments
  @OptionGroup var database: DatabaseOptions
  @OptionGroup var output: OutputOptions

  var change: IndexChangeCall.Change { .cancel }
  var done: String { "Cancelled the build of" }
}
