import ArgumentParser
import Hearth

struct IndexHideCommand: JSONCommand {
  static let configuration = CommandConfiguration(
    commandName: "hide",
    abstract: "Keep queries from using an index, which is maintained all the same.",
    discussion: """
      The trial of a drop: queries run, and are refused, as if the index weren't there, and \
      unhide brings it back at once. The exported index file has it like all others.

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
