import ArgumentParser
import Hearth

struct IndexResumeCommand: JSONCommand {
  static let configuration = CommandConfiguration(
    commandName: "resume",
    abstract: "Continue a paused build.",
    discussion: """
      An application that has the database open continues the build by itself; otherwise `hearth \
      index watch` does.

        hearth index resume cities countryCode:asc population:desc
      """)

  @OptionGroup var index: IndexArguments
  @OptionGroup var pace: BuildOptions
  @OptionGroup var database: DatabaseOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let definition = try index.definition()
    try database.change(.resume, buildOf: definition, pace: pace.pace)
    try output.report(definition, "Resumed the build of \(definition.title).")
  }
}
