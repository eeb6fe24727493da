import Hearth

/// The answer of an import.
struct ImportReport {
  let collection: String
  let count: Int
  let rules: ImportRules
  let format: InputFormat
  let types: TypeSummary
  let duration: Duration

  private var rejectedCount: Int { rules.rejects?.count ?? 0 }

  /// Prints the answer: on standard output for a program, else on standard error, since standard
  /// output may be a list of acknowledged numbers.
  func print(json: Bool) throws {
    guard json else { return StandardError.print(text) }
    let answer: JSONLine = [
      "collection": collection, "imported": rules.isDryRun ? 0 : count,
      "read": rules.isDryRun ? count : nil, "rejected": rejectedCount, "fields": types.json,
      "notes": types.notes(for: format), "seconds": duration / .seconds(1),
    ]
    try OutputWriter.withWriter { try $0.print(answer) }
  }

  private var text: String {
    let nanoseconds = Int64(duration / .nanoseconds(1))
    let rate = Figure.rate(Double(count) / max(duration / .seconds(1), 1e-9))
    let deed = rules.isDryRun ? "read, none imported (--dry-run)," : "imported into \(collection)"
    let first =
      "\(Figure.documents(count)) \(deed) in \(Figure.duration(nanoseconds: nanoseconds)), \(rate)"
    let lines = [first] + types.lines + types.notes(for: format).map { "Note: \($0)" } + rejected
    return lines.joined(separator: "\n")
  }

  /// Lines about the records that were left out.
  private var rejected: [String] {
    guard let rejects = rules.rejects, rejects.count > 0 else { return [] }
    let count = Figure.counted(rejects.count, "record")
    if let path = rejects.path { return ["\(count) left out: see \(path)."] }
    let more = rejects.count - rejects.reasons.count
    return ["\(count) left out:"] + rejects.reasons.map { "  \($0)" }
      + (more > 0 ? ["  and \(Figure.count(more)) more; --rejects FILE lists them all"] : [])
  }
}
