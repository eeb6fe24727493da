import ArgumentParser
import Hearth
import HearthSecurityRules

struct RulesCoverageCommand: JSONCommand {
  static let configuration = CommandConfiguration(
    commandName: "coverage",
    abstract: "Show which expressions of security rules the cases of a file evaluate.",
    discussion: """
      Judges the request of each case, and prints the expressions that were true or false, with \
      the number of times, those that had only errors, and those that were never evaluated. With \
      --html, the page shows them in the text of the rules.

        hearth rules coverage firestore.rules cases.ndjson
        hearth rules coverage firestore.rules cases.ndjson --html coverage.html

      Cases have the form that `hearth rules test` reads. Whether their expectations hold doesn't \
      matter here.
      """)

  @Argument(help: "The file of rules; - is standard input.", completion: .file())
  var rules: String

  @Argument(help: "The file of cases, one a line; - is standard input.", completion: .file())
  var tests: String

  @Option(
    help: ArgumentHelp("Also write the text with the outcomes as a page.", valueName: "file"),
    completion: .file())
  var html: String?

  @OptionGroup var output: RowOptions

  func validate() throws {
    guard !rules.utf8Equal("-") || !tests.utf8Equal("-") else {
      throw ValidationError("Only one of the files can be standard input.")
    }
  }

  func run() throws {
    let source = try RulesSource(path: rules)
    let ruleset = try source.compiled()
    let cases = try CaseReader.cases(in: tests, expecting: false)
    var coverage = RulesCoverage(of: ruleset)
    coverage.add(try cases.map { try $0.decision(by: ruleset, tracing: true) })
    try output.list(
      coverage.notable, RulesCoverageCommand.columns, { $0.json(in: source) },
      { $0.cells(in: source) })
    if let html {
      let page = CoveragePage(coverage: coverage, source: source, caseCount: cases.count)
      try OutputFile(path: html).write(page.html.utf8)
    }
    let states = RulesCoverage.State.allCases.compactMap { state in
      coverage.count(state) == 0
        ? nil : "\(Figure.count(coverage.count(state))) \(state.rawValue)"
    }
    StandardError.print(
      "\(Figure.counted(cases.count, "case")), "
        + "\(Figure.counted(coverage.expressions.count, "expression")): "
        + states.joined(separator: ", "))
  }

  private static let columns: [TextTable.Column] = [
    TextTable.Column("state"), TextTable.Column("place"), TextTable.Column("true", .right),
    TextTable.Column("false", .right), TextTable.Column("errors", .right),
    TextTable.Column("expression"),
  ]
}

extension RulesCoverage.Tally {
  fileprivate func cells(in source: RulesSource) -> [String] {
    let counts = [trueCount, falseCount, errorCount].map { Figure.count($0) }
    return [state.rawValue, "\(range.start.line):\(range.start.column)"] + counts
      + [source.text(of: range)]
  }

  fileprivate func json(in source: RulesSource) -> JSONLine {
    [
      "line": range.start.line, "column": range.start.column, "state": state.rawValue,
      "true": trueCount, "false": falseCount, "errors": errorCount,
      "text": source.text(of: range),
    ]
  }
}
