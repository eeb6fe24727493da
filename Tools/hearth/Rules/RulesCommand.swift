import ArgumentParser

struct RulesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rules",
    abstract: "Check, test and explain security rules.",
    discussion: """
      Compiles a file of security rules and judges requests by it, as a server would. No database \
      is opened: the documents that a request meets are given with it.

        hearth rules check firestore.rules
        hearth rules test firestore.rules cases.ndjson
      """,
    subcommands: [
      RulesCheckCommand.self, RulesTestCommand.self, RulesExplainCommand.self,
      RulesCoverageCommand.self,
    ])
}
