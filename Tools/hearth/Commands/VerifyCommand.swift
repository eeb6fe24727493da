import ArgumentParser
import Hearth

struct VerifyCommand: JSONCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Compare all documents with all index entries, both ways.",
    discussion: """
      Ends with 2 where they differ.

        hearth verify --db cities.hearth
      """)

  @OptionGroup var database: DatabaseOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let bar = ProgressBar(title: "verify", unit: "documents")
    defer { bar.finish() }
    let report = try database.withDatabase { database in
      try database.verify { bar.update(count: $0, fraction: nil) }
    }
    bar.finish()
    try OutputWriter.withWriter { writer in
      if output.json {
        try writer.print(report.json)
      } else {
        try writer.append(report.text(OutputStyle.standardOutput(json: false).text))
      }
    }
    if !report.isClean { throw ExitCode(ExitStatus.differences.rawValue) }
  }
}

extension VerificationReport {
  fileprivate func text(_ style: TextStyle) -> String {
    let checked =
      Figure.documents(documentCount) + " and "
      + Figure.counted(entryCount, "index entry", "index entries")
    guard !isClean else { return "\(checked): \(style.green("all agree"))\n" }
    var text = "\(checked): \(style.red(Figure.counted(problemCount, "difference")))\n"
    for problem in problems { text += "  \(problem.kind): \(problem.subject.printable)\n" }
    if problemCount > problems.count {
      text += "  and \(Figure.count(problemCount - problems.count)) more\n"
    }
    return text
  }

  fileprivate var json: JSONLine {
    var json = JSONLine()
    json.append("isClean", .boolean(isClean))
    json.append("documents", .integer(Int64(documentCount)))
    json.append("entries", .integer(Int64(entryCount)))
    json.append("problemCount", .integer(Int64(problemCount)))
    json.append(
      "problems",
      problems.map { problem in
        var json = JSONLine()
        json.append("kind", .string(problem.kind))
        json.append("subject", .string(problem.subject))
        return json
      })
    return json
  }
}
