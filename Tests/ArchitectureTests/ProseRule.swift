import SourceStructure

/// The rule for what people read: doc comments that begin with their noun or verb, and plain words
/// in comments, in texts of the program and on its pages.
enum ProseRule {
  /// First words of a summary that keep the reader waiting for its noun.
  static let openings = riddles.union([
    "those", "when", "as", "so", "that", "is", "are", "was", "has",
  ])
  /// First words that do so in a tag's text and in a test's name too, and after a preposition.
  static let riddles: Set<String> = [
    "what", "how", "where", "which", "why", "who", "whose", "whom", "whoever",
  ]
  static let prepositions: Set<String> = [
    "after", "among", "at", "before", "by", "for", "from", "in", "into", "of", "on", "since", "to",
    "under", "until", "up", "with",
  ]

  /// Words that are not to be used, each with what to write instead.
  static let words: [String: String] = [
    "whoever": "the caller, the reader", "whomever": "the caller, the reader",
    "whatever": "any, regardless of", "wherever": "in every place", "whichever": "the one that",
    "somebody": "a caller, a process", "someone": "a caller, a process",
    "anybody": "any caller, any process", "nobody": "no caller, no reader",
    "so many": "the number", "so much": "the amount", "so long": "the time",
    "so far as": "as far as", "be it": "either, or", "be they": "either, or",
    "comes behind": "comes after", "come behind": "come after",
    "behind which": "after which",
  ]

  /// Returns the violations in a Swift file or a page.
  static func violations(in file: SourceFile) -> [Violation] {
    let lines = file.lines
    guard file.path.hasSuffix(".swift") else { return words(in: lines, from: 1, of: file.path) }
    let comments = Comment.all(in: lines)
    let tests = ["Tests/", "Benchmarks/"]
    let said =
      // The data of tests may be called what it likes.
      tests.contains(where: file.path.hasPrefix)
      ? comments.flatMap { words(in: $0.lines, from: $0.line, of: file.path) }
      : words(in: lines, from: 1, of: file.path)
    return said + names(in: lines, of: file.path)
      + comments.filter(\.isDocumentation).flatMap {
        summary(of: $0, in: lines, of: file.path) + tags(of: $0, of: file.path)
      }
  }

  /// Returns the violations of `words` in `lines`, whose first has the number `first`.
  private static func words(
    in lines: [Substring], from first: Int, of path: String
  ) -> [Violation] {
    var violations: [Violation] = []
    var last = ""
    for (index, line) in lines.enumerated() {
      for word in Self.words(of: line) {
        let bare = word.prefix { !",.;:".contains($0) }
        let said = [String(bare), "\(last) \(bare)"].first { words[$0] != nil }
        if let said, let instead = words[said] {
          violations.append(
            Violation(
              path: path, line: first + index, message: "'\(said)'; write such as: \(instead)"))
        }
        last = word
      }
    }
    return violations
  }

  private static func summary(
    of comment: Comment, in lines: [Substring], of path: String
  ) -> [Violation] {
    let words = words(of: comment.lines[0].prefix(40))
    let isPrepositional = words.first.map(prepositions.contains) ?? false
    let opening = words.first { !prepositions.contains($0) }
    let message: String? =
      if let opening, (isPrepositional ? riddles : openings).contains(opening) {
        "a summary begins with '\(opening)'; begin with its noun or verb, as in 'Number of' or "
          + "'Returns'"
      } else if words.first == "whether",
        !isBoolean(lines[(comment.line - 1 + comment.lines.count)...])
      {
        "'whether' before something other than a Bool; say what it is, as in 'The flag that'"
      } else {
        nil
      }
    return message.map { [Violation(path: path, line: comment.line, message: $0)] } ?? []
  }

  private static func tags(of comment: Comment, of path: String) -> [Violation] {
    comment.lines.enumerated().compactMap { index, line in
      guard line.hasPrefix("- "), let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")),
        let word = words(of: line[colon...].prefix(20).dropFirst()).first, riddles.contains(word)
      else { return nil }
      return Violation(
        path: path, line: comment.line + index,
        message: "a tag's text begins with '\(word)'; begin with its noun, as in 'the number of'")
    }
  }

  private static func names(in lines: [Substring], of path: String) -> [Violation] {
    guard path.hasSuffix("Tests.swift") else { return [] }
    return lines.enumerated().compactMap { index, line in
      guard let keyword = line.firstRange(of: "func ") else { return nil }
      let word = String(line[keyword.upperBound...].prefix { $0.isLowercase })
      guard riddles.contains(word) else { return nil }
      return Violation(
        path: path, line: index + 1,
        message: "a test's name begins with '\(word)'; begin with its noun")
    }
  }

  /// Returns whether the declaration at the start of `lines` is a Bool, returns or holds one.
  private static func isBoolean(_ lines: ArraySlice<Substring>) -> Bool {
    var words: [String] = []
    for line in lines {
      let isFurther = line.drop { $0 == " " }.hasPrefix("->")
      if !words.isEmpty, !isFurther, words.first != "@" || words.contains(where: isKeyword),
        words.count(where: ["(", "["].contains) <= words.count(where: [")", "]"].contains)
      {
        break
      }
      words += Words.all(of: line)
    }
    // A function is what it returns; attributes say nothing.
    var start = words.firstIndex(where: isKeyword) ?? 0
    if words[start...].first == "func", let bracket = words[start...].firstIndex(of: "(") {
      start = Words.end(ofBracketAt: bracket, in: words)
    }
    return words[start...].contains { ["Bool", "true", "false", "Flag"].contains($0) }
  }

  private static func isKeyword(_ word: String) -> Bool {
    ["func", "var", "let", "case", "subscript", "init", "typealias"].contains(word)
  }

  /// Returns the words of `text` in small letters, each with the punctuation after it.
  private static func words(of text: Substring) -> [String] {
    text.utf8.split { !isPartOfWord($0) }.map { String(Substring($0)).lowercased() }
  }

  private static func isPartOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "'"), UInt8(ascii: ","), UInt8(ascii: "."), UInt8(ascii: ";"),
      UInt8(ascii: ":"), 0x80...:
      true
    default: false
    }
  }
}
