import ArgumentParser
import Hearth
import HearthSecurityRules

/// The files of a command that judges cases by rules.
struct CaseFiles: ParsableArguments {
  @Argument(help: "The file of rules; - is standard input.", completion: .file())
  var rules: String

  @Argument(help: "The file of cases, one a line; - is standard input.", completion: .file())
  var tests: String

  func validate() throws {
    guard !rules.utf8Equal("-") || !tests.utf8Equal("-") else {
      throw ValidationError("Only one of the files can be standard input.")
    }
  }

  /// The name of the file of cases, for people.
  var testsName: String { tests.utf8Equal("-") ? "standard input" : tests }

  /// Reads the rules.
  ///
  /// - Throws: the errors of ``RulesSource``.
  func readRules() throws -> (source: RulesSource, ruleset: Ruleset) {
    let source = try RulesSource(path: rules)
    return (source, try source.compiled())
  }
}
