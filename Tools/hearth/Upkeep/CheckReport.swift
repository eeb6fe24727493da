import Hearth

/// The printable result of a check or a repair.
protocol CheckReport {
  var isClean: Bool { get }
  var jsonLine: JSONLine { get }

  /// Returns the report as lines, each with its end.
  func text(_ style: TextStyle) -> String
}

extension VerificationReport: CheckReport {
  func text(_ style: TextStyle) -> String {
    text(of: extent, style.green("all agree"), style)
  }

  fileprivate var extent: String {
    Figure.documents(documentCount) + " and "
      + Figure.counted(entryCount, "index entry", "index entries")
  }

  /// Returns the report as text.
  ///
  /// - Parameters:
  ///   - extent: the data that was compared.
  ///   - agreement: the words for a check without differences.
  fileprivate func text(of extent: String, _ agreement: String, _ style: TextStyle) -> String {
    guard !isClean else { return "\(extent): \(agreement)\n" }
    return "\(extent): \(style.red(Figure.counted(problemCount, "difference")))\n" + problemText
  }

  fileprivate var problemText: String { problems.text(of: problemCount) }

  var jsonLine: JSONLine {
    [
      "isClean": isClean, "documents": documentCount, "entries": entryCount,
      "problemCount": problemCount, "problems": problems.map(\.jsonLine),
    ]
  }
}

extension QuickVerificationReport: CheckReport {
  func text(_ style: TextStyle) -> String {
    var text =
      isExhaustive
      ? findings.text(style)
      : findings.text(
        of: "A sample of \(findings.extent)", style.green("no difference in it"), style)
    if !keepsSums {
      text += "No sums are kept; `hearth index tune --sums` keeps them.\n"
    } else {
      text += "Sums of \(Figure.counted(summedCount, "kind")) of entries were compared.\n"
      for space in unsummed { text += "Not summed up yet: \(space.printable)\n" }
    }
    guard !isExhaustive else { return text + "All documents were compared.\n" }
    return text
      + "Damage that lies scattered, to 1 in 1,000, would have been noticed: of documents with "
      + "\(documentDetection(ofShare: 0.001).percentage), of entries that are missing or wrong "
      + "with \(missingEntryDetection(ofShare: 0.001).percentage), of stray ones with "
      + "\(strayEntryDetection(ofShare: 0.001).percentage).\n"
      + "The same samples again: --seed \(seed)\n"
  }

  var jsonLine: JSONLine {
    let chances: JSONLine = [
      "documents": documentDetection(ofShare: 0.001),
      "missingEntries": missingEntryDetection(ofShare: 0.001),
      "strayEntries": strayEntryDetection(ofShare: 0.001),
    ]
    return findings.jsonLine + [
      "keepsSums": keepsSums, "summed": summedCount, "unsummed": unsummed,
      "isExhaustive": isExhaustive, "detectionOfOneInThousand": chances, "seed": String(seed),
    ]
  }
}

extension RepairReport: CheckReport {
  func text(_ style: TextStyle) -> String {
    var text = Figure.documents(documentCount) + ": "
    if putCount + deletedCount + recountedCount == 0 {
      text += isClean ? style.green("nothing to mend") : "nothing to mend"
    } else {
      text +=
        "\(Figure.counted(putCount, "entry", "entries")) put, "
        + "\(Figure.count(deletedCount)) deleted, "
        + "\(Figure.counted(recountedCount, "count")) mended"
    }
    text += "\n"
    guard !isClean else { return text }
    let unread = style.red("\(Figure.documents(damagedCount)) can't be read")
    text += "\(unread) and stay as they are; see `hearth salvage`\n"
    return text + damaged.text(of: damagedCount)
  }

  var jsonLine: JSONLine {
    [
      "isClean": isClean, "documents": documentCount, "entriesPut": putCount,
      "entriesDeleted": deletedCount, "countsMended": recountedCount,
      "damagedCount": damagedCount, "damaged": damaged.map(\.jsonLine),
    ]
  }
}

extension [VerificationReport.Problem] {
  /// Returns a line for each problem, and one for those that aren't listed.
  fileprivate func text(of count: Int) -> String {
    var text = ""
    for problem in self { text += "  \(problem.kind): \(problem.subject.printable)\n" }
    if count > self.count { text += "  and \(Figure.count(count - self.count)) more\n" }
    return text
  }
}

extension VerificationReport.Problem {
  fileprivate var jsonLine: JSONLine {
    ["kind": kind, "subject": subject]
  }
}

extension Double {
  /// `99.3 %`: rounded down, so that only a certainty reads as 100 %.
  fileprivate var percentage: String {
    let tenths = Int((self * 1000).rounded(.down))
    return "\(tenths / 10).\(tenths % 10) %"
  }
}
