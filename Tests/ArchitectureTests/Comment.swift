import SourceStructure

/// Successive lines of a file that hold one comment.
struct Comment {
  /// Number of the first line.
  var line: Int
  /// Whether it documents a declaration, which it does with three slashes.
  var isDocumentation: Bool
  /// The lines without indentation, slashes and the spaces after them.
  var lines: [Substring]

  /// Returns the comments in `lines`, which are those of a Swift file.
  ///
  /// A comment in the text of a literal counts too, so that the examples of the pages are read.
  static func all(in lines: [Substring]) -> [Comment] {
    var comments: [Comment] = []
    for (index, line) in lines.enumerated() {
      guard let start = start(in: line.utf8) else { continue }
      let text = line[start...].drop { $0 == "/" }
      let isDocumentation = line.utf8[start...].prefix { $0 == slash }.count == 3
      let isAlone = line.utf8[..<start].allSatisfy { $0 == space }
      let isNext = comments.last.map { $0.line + $0.lines.count == index + 1 } ?? false
      if isAlone, isNext, comments[comments.count - 1].isDocumentation == isDocumentation {
        comments[comments.count - 1].lines.append(text.drop { $0 == " " })
      } else {
        comments.append(
          Comment(
            line: index + 1, isDocumentation: isDocumentation,
            lines: [text.drop { $0 == " " }]))
      }
    }
    return comments
  }

  private static let slash = UInt8(ascii: "/")
  private static let space = UInt8(ascii: " ")

  /// Returns the place of the two slashes that begin a comment; those of a link don't.
  private static func start(in line: Substring.UTF8View) -> Substring.Index? {
    var before = space
    var index = line.startIndex
    while let found = line[index...].firstIndex(of: slash) {
      let next = line.index(after: found)
      if found > line.startIndex { before = line[line.index(before: found)] }
      if next < line.endIndex, line[next] == slash, before == space { return found }
      index = next
    }
    return nil
  }
}
