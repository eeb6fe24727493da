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

  @OptionGroup var files: CaseFiles

  @Option(
    help: ArgumentHelp("Also write the text with the outcomes as a page.", valueName: "file"),
    completion: .file())
  var html: String?

  @OptionGroup var output: RowOptions

  func run() throws {
    let (source, ruleset) = try files.readRules()
    let cases = try CaseReader.cases(in: files.tests, expecting: false)
    let coverage = RulesCoverage(of: ruleset)
    for subject in cases { _ = try subject.decision(in: coverage) }
    let expressions = coverage.expressions
    let counts =
      "\(Figure.counted(cases.count, "case")), "
      + Figure.counted(expressions.count, "expression")
    try output.list(
      CoveredExpression.notable(in: expressions), RulesCoverageCommand.columns,
      { $0.json(in: source) },
      { $0.cells(in: source) })
    if let html {
      let page = CoveragePage(of: coverage, title: source.name, caption: "\(counts).")
      try OutputFile(path: html).write(page.html.utf8)
    }
    let states = CoveredExpression.State.allCases.compactMap { state in
      CoveredExpression.count(state, in: expressions) == 0
        ? nil : "\(Figure.count(CoveredExpression.count(state, in: expressions))) \(state.rawValue)"
    }
    StandardError.print("\(counts): \(states.joined(separator: ", "))")
  }

  private static let columns: [TextTable.Column] = [
    TextTable.Column("state"), TextTable.Column("place"), TextTable.Column("true", .right),
    TextTable.Column("false", .right), TextTable.Column("errors", .right),
    TextTable.Column("expression"),
  ]
}

extension CoveredExpression {
  fileprivate func cells(in source: RulesSource) -> [String] {
    let counts = [outcomes.trueCount, outcomes.falseCount, outcomes.errorCount].map {
      Figure.count($0)
    }
    return [state.rawValue, "\(range.start.line):\(range.start.column)"] + counts
      + [source.text(of: range)]
  }

  fileprivate func json(in source: RulesSource) -> JSONLine {
    [
      "line": range.start.line, "column": range.start.column, "state": state.rawValue,
      "true": outcomes.trueCount, "false": outcomes.falseCount, "errors": outcomes.errorCount,
      "text": source.text(of: range),
    ]
  }
}
