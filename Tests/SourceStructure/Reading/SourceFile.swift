/// A text file of the repository and, if it is Swift, its code.
package struct SourceFile: Sendable {
  /// Path from the root of the repository.
  package var path: String
  /// Contents of the file.
  package var text: String

  /// Creates a file at `path` with the contents `text`.
  package init(path: String, text: String) {
    self.path = path
    self.text = text
  }

  /// The lines, without the empty one after the last line break.
  package var lines: [Substring] {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    if lines.last == "" { lines.removeLast() }
    return lines
  }

  /// The text with spaces in place of every comment and string literal. Line breaks are kept, so
  /// that all code is at its place. Regular-expression literals stay.
  package var code: String {
    var scanner = LiteralScanner(text)
    return scanner.blanked()
  }

  /// The lines of `code`, numbered from 1.
  package var codeLines: [(number: Int, code: Substring)] {
    code.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
      .map { ($0.offset + 1, $0.element) }
  }

  /// Number of lines that hold more than spaces and comments.
  ///
  /// A line within a string literal counts, unless it is blank.
  package var codeLineCount: Int {
    var scanner = LiteralScanner(text)
    return scanner.blanked(literals: false).utf8.split(separator: UInt8(ascii: "\n"))
      .count { $0.contains { $0 != UInt8(ascii: " ") } }
  }

  /// The name of the file without its folder and ending.
  package var baseName: Substring {
    let name = path.split(separator: "/").last ?? ""
    return name.split(separator: ".").first ?? name
  }
}
