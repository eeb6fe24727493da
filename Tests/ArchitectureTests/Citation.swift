import SourceStructure

/// A citation such as `§5.3` in a source file or page, which names that section of the page of
/// semantics.
struct Citation: Hashable {
  var section: String
  var line: Int

  static func all(in file: SourceFile) -> [Citation] {
    file.lines.enumerated().flatMap { index, line in
      // A range such as §2.2-2.3 cites both of its ends.
      line.matches(of: /§§?(\d+(?:\.\d+)*)(?:[-–](\d+(?:\.\d+)*))?/).flatMap { match in
        [match.output.1, match.output.2].compactMap { $0 }.map {
          Citation(section: String($0), line: index + 1)
        }
      }
    }
  }

  /// Returns the numbers of the headings of a Markdown page.
  static func sections(of page: SourceFile) -> Set<String> {
    var sections: Set<String> = []
    for line in page.lines {
      guard let match = line.prefixMatch(of: /#{1,4} (\d+(?:\.\d+)*)\.?\s/) else { continue }
      sections.insert(String(match.output.1))
    }
    return sections
  }

  /// Returns a violation for each citation in `files` for which `page` has no heading.
  static func violations(in files: [SourceFile], page: SourceFile) -> [Violation] {
    let sections = sections(of: page)
    return files.flatMap { file in
      all(in: file).filter { !sections.contains($0.section) }.map {
        Violation(
          path: file.path, line: $0.line, message: "§\($0.section) is no section of \(page.path)")
      }
    }
  }
}
