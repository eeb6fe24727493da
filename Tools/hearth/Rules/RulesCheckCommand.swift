import ArgumentParser
import Hearth
import HearthSecurityRules

struct RulesCheckCommand: JSONCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Compile a file of security rules, and print its faults.",
    discussion: """
      Prints each fault on a line, with its line and column in the file. Ends with 65 if any is an \
      error; warnings alone don't keep rules from being used.

        hearth rules check firestore.rules
      """)

  @Argument(help: "The file of rules; - is standard input.", completion: .file())
  var rules: String

  @OptionGroup var output: OutputOptions

  func run() throws {
    let source = try RulesSource(path: rules)
    let issues: [RulesIssue]
    do {
      issues = try Ruleset(compiling: source.text, fileName: source.name).warnings
    } catch {
      issues = error.issues
    }
    try OutputWriter.withWriter { writer in
      for issue in issues {
        try writer.print(output.json ? issue.json(in: source.name).text : source.line(of: issue))
      }
    }
    let errorCount = issues.count { $0.severity == .error }
    let counts = [
      Figure.counted(errorCount, "error"), Figure.counted(issues.count - errorCount, "warning"),
    ]
    StandardError.print("\(source.name): \(counts.joined(separator: ", "))")
    if errorCount > 0 { throw ExitCode(ExitStatus.badInput.rawValue) }
  }
}

extension RulesIssue {
  fileprivate func json(in file: String) -> JSONLine {
    let hasPlace = position.line > 0
    return [
      "file": file, "line": hasPlace ? position.line : nil,
      "column": hasPlace ? position.column : nil,
      "severity": severity == .error ? "error" : "warning", "message": description,
    ]
  }
}
