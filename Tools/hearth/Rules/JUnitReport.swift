import Hearth

/// The results of cases in the XML of JUnit, which services for continuous integration read.
struct JUnitReport {
  /// The name of the suite: the file of rules.
  let suite: String
  /// The name of the file of cases.
  let file: String
  let verdicts: [CaseVerdict]

  /// Returns the document.
  func text(in source: RulesSource) -> String {
    let failures = verdicts.count { !$0.isExpected }
    let total = verdicts.reduce(0) { $0 + $1.nanoseconds }
    let counts =
      "tests=\"\(verdicts.count)\" failures=\"\(failures)\" errors=\"0\" skipped=\"0\" "
      + "time=\"\(JUnitReport.seconds(total))\""
    var text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites \(counts)>
        <testsuite name="\(suite.escapedForXML)" \(counts)>

      """
    for verdict in verdicts { text += element(of: verdict, in: source) }
    return text + "  </testsuite>\n</testsuites>\n"
  }

  private func element(of verdict: CaseVerdict, in source: RulesSource) -> String {
    let line = verdict.subject.line.map { " line=\"\($0)\"" } ?? ""
    let head =
      "    <testcase name=\"\(verdict.subject.name.escapedForXML)\" "
      + "classname=\"\(suite.escapedForXML)\" file=\"\(file.escapedForXML)\"\(line) "
      + "time=\"\(JUnitReport.seconds(verdict.nanoseconds))\""
    guard !verdict.isExpected else { return head + "/>\n" }
    let reasons = verdict.reasons(in: source).map(\.escapedForXML).joined(separator: "\n")
    return """
      \(head)>
            <failure message="\(verdict.fault.escapedForXML)">\(reasons)</failure>
          </testcase>

      """
  }

  /// Returns a time as a number of seconds with six decimals.
  private static func seconds(_ nanoseconds: Int64) -> String {
    let microseconds = String(nanoseconds / 1000 % 1_000_000)
    let padding = String(repeating: "0", count: 6 - microseconds.count)
    return "\(nanoseconds / 1_000_000_000).\(padding)\(microseconds)"
  }
}

extension String {
  /// The text for an attribute or an element. Characters that XML can't have are shown as escapes,
  /// or as `U+FFFD`.
  fileprivate var escapedForXML: String {
    let text = printable.unicodeScalars.map { point in
      point.value & 0xFFFE == 0xFFFE ? "\u{FFFD}" : String(point)
    }
    return text.joined().escapedForHTML
  }
}
