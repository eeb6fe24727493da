import SourceStructure

/// The limits of files, functions and lines, and the words that they may not contain.
enum ShapeRule {
  static let fileLineLimit = 600
  static let functionLineLimit = 70
  static let columnLimit = 100

  /// Texts that no code may contain, including tests.
  static let forbiddenCode = ["try" + "!", "fatal" + "Error("]
  /// Texts that no file may contain, including comments.
  static let forbiddenText = ["TO" + "DO", "FIX" + "ME"]
  /// Words that may not be part of a file's or type's name: if no noun fits, the concept is not
  /// clear yet.
  static let forbiddenNames: Set<String> = [
    "Util", "Utils", "Utilities", "Manager", "Helper", "Helpers", "Common", "Base",
  ]

  /// Names that Firebase's own code requires.
  static let foreignNames: Set<Substring> = ["PersistentCacheIndexManager", "FSTNSExceptionUtil"]

  static func violations(in file: SourceFile) -> [Violation] {
    sizes(of: file) + words(of: file) + names(of: file)
  }

  private static func sizes(of file: SourceFile) -> [Violation] {
    var violations: [Violation] = []
    let lines = file.lines
    if lines.count > fileLineLimit {
      violations.append(Violation(path: file.path, message: "\(lines.count) lines"))
    }
    for (index, line) in lines.enumerated() where line.count > columnLimit {
      violations.append(
        Violation(path: file.path, line: index + 1, message: "\(line.count) columns"))
    }
    for function in FunctionExtent.all(in: file) where function.lineCount > functionLineLimit {
      violations.append(
        Violation(
          path: file.path, line: function.line,
          message: "a function of \(function.lineCount) lines"))
    }
    return violations
  }

  private static func words(of file: SourceFile) -> [Violation] {
    var violations: [Violation] = []
    func search(_ lines: some Sequence<(Int, Substring)>, for words: [String]) {
      for (number, line) in lines {
        for word in words where line.contains(word) {
          violations.append(Violation(path: file.path, line: number, message: "'\(word)'"))
        }
      }
    }
    search(file.codeLines.map { ($0.number, $0.code) }, for: forbiddenCode)
    search(file.lines.enumerated().map { ($0.offset + 1, $0.element) }, for: forbiddenText)
    return violations
  }

  private static func names(of file: SourceFile) -> [Violation] {
    var violations: [Violation] = []
    if let word = forbiddenWord(in: file.baseName) {
      violations.append(Violation(path: file.path, message: "'\(word)' in a file's name"))
    }
    let declaration = /\b(?:struct|class|enum|protocol|actor|typealias)\s+(\w+)/
    for (number, code) in file.codeLines {
      for match in code.matches(of: declaration) {
        guard let word = forbiddenWord(in: match.output.1) else { continue }
        violations.append(
          Violation(path: file.path, line: number, message: "'\(word)' in a type's name"))
      }
    }
    return violations
  }

  /// Returns the first forbidden word among the capitalised words of `name`.
  static func forbiddenWord(in name: Substring) -> String? {
    guard !foreignNames.contains(name) else { return nil }
    return name.matches(of: /[A-Z][a-z0-9]*/).map { String($0.output) }
      .first(where: forbiddenNames.contains)
  }
}
