import ArgumentParser
import Hearth

struct IndexResumeCommand: IndexChangeCommand {
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

  var change: IndexChangeCall.Change { .resume }
  var done: String { "Resumed the build of" }
  var newPace: BuildPace? { pace.pace }
}
