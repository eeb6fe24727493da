import SourceStructure

/// The rule for the glossary: its terms, and the names beside them, occur in the sources.
enum GlossaryRule {
  /// Returns the violations of a page. The rows of its table have a term of one or two words, its
  /// meaning, and the place of its definition.
  static func violations(in page: SourceFile, of sources: [SourceFile]) -> [Violation] {
    let used = usedTerms(in: sources)
    return page.lines.enumerated().flatMap { index, line -> [Violation] in
      let cells = line.split(separator: "|")
      guard line.hasPrefix("| "), cells.count == 3, cells[0] != " Term " else { return [] }
      let terms = cells[0].split(separator: ",").map { $0.drop { $0 == " " } }.map {
        $0.last == " " ? $0.dropLast() : $0
      }
      let missing =
        terms.filter { term in !["", "s"].contains { used.contains(term + $0) } }
        + names(in: cells[2]).filter { !used.contains(String($0)) }
      return missing.map {
        Violation(path: page.path, line: index + 1, message: "no source has '\($0)'")
      }
    }
  }

  /// Returns all words of `files`, as they are and in small letters, and all pairs of words.
  private static func usedTerms(in files: [SourceFile]) -> Set<String> {
    var terms: Set<String> = []
    for file in files {
      var last = ""
      // The slashes of a comment may stand between the words of a pair.
      for word in Words.all(of: file.text) where word != "/" {
        let small = word.lowercased()
        terms.formUnion([word, small, "\(last) \(small)"])
        last = small
      }
    }
    return terms
  }

  /// Returns the last part of each name in single backticks, without the keys of the store.
  private static func names(in cell: Substring) -> [Substring] {
    let parts = cell.split(separator: "`", omittingEmptySubsequences: false)
    return stride(from: 1, to: parts.count, by: 2).compactMap { index in
      parts[index].contains(" ") ? nil : parts[index].split(separator: ".").last
    }
  }
}
