import SourceStructure

/// The rule for the pages on the inside of Hearth: the types and folders that they name exist.
enum PageNameRule {
  /// Returns the violations in pages.
  ///
  /// - Parameters:
  ///   - sources: the files whose code has the types.
  ///   - paths: the paths of all files, which have the folders.
  static func violations(
    in pages: [SourceFile], of sources: [SourceFile], among paths: [String]
  ) -> [Violation] {
    var known = Set(paths.flatMap { $0.split(separator: "/").map(String.init) })
    for file in sources {
      for line in file.lines where !line.drop(while: { $0 == " " }).hasPrefix("//") {
        known.formUnion(Words.all(of: line))
      }
    }
    return pages.flatMap { page in
      page.lines.enumerated().flatMap { index, line in
        names(in: line).filter { !known.contains(String($0)) }.map {
          Violation(path: page.path, line: index + 1, message: "no source has '\($0)'")
        }
      }
    }
  }

  /// Returns the parts of paths and of qualified names in single backticks that are written as a
  /// type or a folder is.
  private static func names(in line: Substring) -> [Substring] {
    let parts = line.split(separator: "`", omittingEmptySubsequences: false)
    return stride(from: 1, to: parts.count, by: 2).flatMap { index -> [Substring] in
      guard !parts[index].contains(" ") else { return [] }
      return parts[index].split { "./():,".contains($0) }.filter { part in
        part.first?.isUppercase == true && part.contains(where: \.isLowercase)
      }
    }
  }
}
