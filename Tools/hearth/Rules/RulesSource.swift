import Hearth
import HearthSecurityRules

/// A file of security rules, and the places in it.
struct RulesSource {
  /// The path of the file, or `standard input`.
  let name: String
  let text: String
  private let units: [UInt16]

  /// Reads a file; `-` is standard input.
  ///
  /// - Throws: ``InputError`` for a file that can't be read or is no UTF-8.
  init(path: String) throws(InputError) {
    let bytes = try InputFile(path: path).bytes()
    name = path.utf8Equal("-") ? "standard input" : path
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw InputError(
        .malformed, in: name, "this is not valid UTF-8", advice: "Save it as UTF-8")
    }
    self.text = text
    units = Array(text.utf16)
  }

  /// Returns the compiled rules.
  ///
  /// - Throws: ``ToolFailure`` with all faults if the file doesn't compile.
  func compiled() throws(ToolFailure) -> Ruleset {
    do {
      return try Ruleset(compiling: text, fileName: name)
    } catch {
      let faults = error.issues.filter { $0.severity == .error }
      throw .badInput(
        "the rules don't compile.\n" + faults.map(line(of:)).joined(separator: "\n"))
    }
  }

  /// Returns a fault on one line, in the form of compilers.
  func line(of issue: RulesIssue) -> String {
    let position = issue.position
    // A fault of the file as a whole has no line.
    let place = position.line > 0 ? "\(name):\(position.line):\(position.column)" : name
    let severity = issue.severity == .error ? "error" : "warning"
    return "\(place): \(severity): \(issue.description.printable)"
  }

  /// Returns the text of a range, with a single space for each run of blanks.
  func text(of range: SourceRange) -> String {
    let end = min(range.endOffset + 1, units.count)
    guard range.start.offset < end else { return "" }
    return String(decoding: units[range.start.offset..<end], as: UTF16.self)
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// Returns the text of a line, from 1, without the blanks around it.
  func text(ofLine number: Int) -> String {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    guard lines.indices.contains(number - 1) else { return "" }
    return lines[number - 1].split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
