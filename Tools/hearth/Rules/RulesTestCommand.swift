import ArgumentParser
import Hearth
import HearthSecurityRules

struct RulesTestCommand: JSONCommand {
  static let configuration = CommandConfiguration(
    commandName: "test",
    abstract: "Compare the decisions of security rules with expected ones.",
    discussion: """
      Reads one case a line, judges its request, and prints a line for each. Below a case that \
      fails are the statements that were tried, with their lines and reasons. Ends with 3 if any \
      fails.

        hearth rules test firestore.rules cases.ndjson
        hearth rules test firestore.rules cases.ndjson --junit report.xml

      A case is a JSON object. Blank lines and lines that begin with # are skipped.

        {"name": "a stranger", "method": "get", "path": "notes/a", "auth": {"uid": "bob"}, \
      "documents": {"notes/a": {"owner": "alice"}}, "expect": "deny"}

      \(RulesTestCommand.members)
      """)

  /// The members of a case, for the help text.
  private static let members = """
      method          get, list, create, update or delete
      path            the document, or with list the collection
      query           with list: a query as in `hearth check`
      auth            the caller, {"uid": …, "token": {claims}}; missing
                      for a caller who isn't signed in
      documents       the documents that exist: fields by path
      before          the fields of the document itself, in place of its
                      entry in documents
      after           its fields after the write
      documentsAfter  other documents that the same request writes: fields by
                      path, null for one that it deletes
      time            the time of the request; by default the present
      typed           true if fields have the JSON of Firestore's REST
                      interface, with all types
      expect          allow or deny
      name            a name for people
    """

  @OptionGroup var files: CaseFiles

  @Option(
    help: ArgumentHelp("Also write the results to a file, as JUnit XML.", valueName: "file"),
    completion: .file())
  var junit: String?

  @OptionGroup var output: OutputOptions

  func run() throws {
    let (source, ruleset) = try files.readRules()
    let cases = try CaseReader.cases(in: files.tests, expecting: true)
    let file = files.testsName
    let style = OutputStyle.standardOutput(json: output.json).text
    var verdicts: [CaseVerdict] = []
    try OutputWriter.withWriter { writer in
      for subject in cases {
        let verdict = try CaseVerdict(of: subject, by: ruleset)
        verdicts.append(verdict)
        if output.json {
          try writer.print(verdict.json)
        } else {
          try print(verdict, of: file, in: source, style, to: writer)
        }
      }
    }
    if let junit {
      let report = JUnitReport(suite: source.name, file: file, verdicts: verdicts)
      try OutputFile(path: junit).write(report.text(in: source).utf8)
    }
    let failed = verdicts.filter { !$0.isExpected }
    StandardError.print(
      "\(Figure.counted(cases.count, "case")), \(Figure.count(cases.count - failed.count)) passed "
        + "and \(Figure.count(failed.count)) failed")
    if let first = failed.first {
      if !output.json, let line = first.subject.line {
        StandardError.print("`hearth rules explain` with --line \(line) shows the values.")
      }
      throw ExitCode(ExitStatus.assertion.rawValue)
    }
  }

  private func print(
    _ verdict: CaseVerdict, of file: String, in source: RulesSource, _ style: TextStyle,
    to writer: OutputWriter
  ) throws {
    let name = verdict.subject.name.printable
    guard !verdict.isExpected else {
      try writer.print("\(style.green("ok"))    \(name)")
      return
    }
    let place = verdict.subject.line.map { "\(file):\($0)" } ?? file
    try writer.print("\(style.red("FAIL"))  \(name)  (\(place))")
    try writer.print("      \(verdict.fault)")
    for reason in verdict.reasons(in: source) { try writer.print("      \(reason)") }
  }
}
