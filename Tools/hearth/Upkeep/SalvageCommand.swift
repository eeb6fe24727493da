import ArgumentParser
import Hearth

struct SalvageCommand: JSONCommand {
  static let configuration = CommandConfiguration(
    commandName: "salvage",
    abstract: "Recover the documents of a damaged database into a new one.",
    discussion: """
      The damaged database is only read. The newest readable version of every document is \
      recovered, and the entries of the indexes are made anew. Everything that the command can't \
      vouch for is listed: documents that may be stale or deleted, which are recovered too, and \
      documents of which only the name is left.

      Ends with 2 if something is listed.

        hearth salvage cities.hearth rescued.hearth
        hearth salvage cities.hearth rescued.hearth --report findings.ndjson
      """)

  /// Number of findings that are printed for a person.
  private static let shownCount = 20

  @Argument(help: "The folder of the damaged database.", completion: .directory)
  var damaged: String

  @Argument(help: "The folder of the new database, which is created.", completion: .directory)
  var new: String

  @Flag(help: "Leave out documents that may be stale or deleted; they are still listed.")
  var leaveOutDoubtful = false

  @Option(
    help: ArgumentHelp(
      "A file for the list of all findings, one JSON object a line.", valueName: "file"),
    completion: .file())
  var report: String?

  @OptionGroup var output: OutputOptions

  func run() throws {
    let file = try report.map { path in
      do throws(FileDescriptor.Failure) {
        return try FileDescriptor(writing: path)
      } catch {
        throw ToolFailure(writing: path, error)
      }
    }
    let result = try OutputWriter.withWriter { writer in
      guard let file else { return try salvage(writer, nil) }
      return try OutputWriter.withWriter(on: file) { try salvage(writer, $0) }
    }
    if !result.isComplete { throw ExitCode(ExitStatus.differences.rawValue) }
  }

  /// - Parameter list: the writer for the list of all findings.
  private func salvage(
    _ writer: OutputWriter, _ list: OutputWriter?
  ) throws -> Database.SalvageReport {
    var options = Database.SalvageOptions()
    options.leavesOutDoubtful = leaveOutDoubtful
    let bar = ProgressBar(title: "salvage", unit: "documents")
    defer { bar.finish() }
    var shown: [Database.SalvageFinding] = []
    var count = 0
    // A line that can't be written is reported once the documents are safe.
    var failure: (any Error)?
    let report = try salvage(
      options,
      finding: { finding in
        count += 1
        if shown.count < Self.shownCount { shown.append(finding) }
        do {
          try list?.print(finding.json)
          if output.json { try writer.print(finding.json) }
        } catch {
          failure = failure ?? error
        }
      },
      progress: { bar.update(count: $0, fraction: nil) })
    bar.finish()
    if let failure { throw failure }
    if output.json {
      try writer.print(report.json)
    } else {
      try writer.append(report.text(of: shown, among: count))
    }
    return report
  }

  private func salvage(
    _ options: Database.SalvageOptions,
    finding: @escaping (Database.SalvageFinding) -> Void, progress: @escaping (Int) -> Void
  ) throws -> Database.SalvageReport {
    do throws(DatabaseError) {
      return try Database.salvage(
        from: damaged, to: new, options: options, finding: finding, progress: progress)
    } catch {
      switch error.code {
      case .notFound: throw ToolFailure(.missingInput, error.code, error.message.sentence)
      // Only for the store in use: a failed read has the same code.
      case .unavailable where error.isInUse:
        throw ToolFailure(.inUse, error.code, error.message.sentence)
      default: throw error
      }
    }
  }
}

extension Database.SalvageReport {
  fileprivate func text(of shown: [Database.SalvageFinding], among count: Int) -> String {
    var text = "\(Figure.documents(documentCount)) recovered"
    if doubtfulCount > 0 { text += ", \(Figure.count(doubtfulCount)) of them in doubt" }
    if leftOutCount > 0 { text += ", \(Figure.count(leftOutCount)) in doubt left out" }
    if lostCount > 0 { text += ", \(Figure.count(lostCount)) lost" }
    text += isComplete ? ": all that there were\n" : "\n"
    if !damage.isEmpty {
      text += "Can't be read:\n"
      for damage in damage {
        let contents = damage.contents.isEmpty ? "nothing lost" : damage.contents
        text += "  \(damage.place): \(contents)\n"
      }
    }
    if !shown.isEmpty { text += "Not sure:\n" }
    for finding in shown {
      text += "  \(finding.subject.printable): \(finding.kind.words): \(finding.reason)\n"
    }
    if count > shown.count {
      text += "  and \(Figure.count(count - shown.count)) more; --report FILE lists them all\n"
    }
    if mayLackNames {
      text += "There may have been documents of which not even the name is left.\n"
    }
    return text
  }

  fileprivate var json: JSONLine {
    [
      "isComplete": isComplete, "documents": documentCount, "doubtful": doubtfulCount,
      "leftOut": leftOutCount, "lost": lostCount, "settings": settingCount,
      "mayLackNames": mayLackNames,
      "damage": damage.map { ["place": $0.place, "contents": $0.contents] as JSONLine },
    ]
  }
}

extension Database.SalvageFinding {
  fileprivate var json: JSONLine {
    ["kind": kind.rawValue, "subject": subject, "reason": reason]
  }
}

extension Database.SalvageFinding.Kind {
  fileprivate var words: String { self == .setting ? "perhaps not as it was" : rawValue }
}
