import ArgumentParser
import Hearth

struct IndexCancelCommand: JSONCommand {
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

  func run() throws {
    let definition = try index.definition()
    try database.change(.cancel, buildOf: definition)
    try output.report(definition, "Cancelled the build of \(definition.title).")
  }
}
