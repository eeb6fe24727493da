import ArgumentParser
import Hearth
import HearthSecurityRules

struct RulesExplainCommand: JSONCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Show how security rules decide on one request.",
    discussion: """
      Prints the decision, and each statement that was tried with the values of its expressions: \
      the condition, its parts, and those of the functions that it calls. An expression that is \
      not there was not evaluated.

        hearth rules explain firestore.rules case.json
        hearth rules explain firestore.rules cases.ndjson --line 3

      The file holds one case, in the form that `hearth rules test` reads. With --line, each line \
      of the file is a case.
      """)

  @Argument(help: "The file of rules; - is standard input.", completion: .file())
  var rules: String

  @Argument(help: "The file of the case; - is standard input.", completion: .file())
  var file: String

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The line of the case in a file of cases.", valueName: "number"))
  var line: Int?

  @OptionGroup var output: OutputOptions

  func validate() throws {
    guard !rules.utf8Equal("-") || !file.utf8Equal("-") else {
      throw ValidationError("Only one of the files can be standard input.")
    }
    guard line ?? 1 > 0 else { throw ValidationError("--line takes a number from 1.") }
  }

  func run() throws {
    let source = try RulesSource(path: rules)
    let ruleset = try source.compiled()
    let subject = try CaseReader.readCase(in: file, line: line)
    let decision = try subject.decision(by: ruleset, tracing: true)
    let explanation = RulesExplanation(decision, of: subject.name, in: source)
    try output.report(explanation.json) { explanation.text($0) }
  }
}
