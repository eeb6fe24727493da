package import Foundation

/// The golden files under `Tests/Scripts`, with which text is compared. `HEARTH_REWRITE=1` rewrites
/// them instead.
///
/// The files are read in review: a changed line is a changed behaviour.
package enum Golden {
  /// The folder of all golden files.
  package static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Scripts")

  package static var isRewriting: Bool {
    ProcessInfo.processInfo.environment["HEARTH_REWRITE"] == "1"
  }

  /// Returns the difference between `text` and the file at `path` below `folder`; `nil` if they are
  /// equal.
  package static func difference(
    of text: String, from path: String, in folder: URL = folder, isRewriting: Bool = isRewriting
  ) throws -> String? {
    let file = folder.appending(path: path)
    if isRewriting {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
      return nil
    }
    guard FileManager.default.fileExists(atPath: file.path) else {
      return "\(path) is missing; run the test with HEARTH_REWRITE=1 and read the file."
    }
    let expected = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    if expected.utf8.elementsEqual(text.utf8) { return nil }
    return "\(path), " + difference(expected: lines(expected), found: lines(text))
  }

  private static func lines(_ text: String) -> [Substring] {
    text.split(separator: "\n", omittingEmptySubsequences: false)
  }

  /// Returns the lines from the first that differs to the last, of both sides.
  private static func difference(expected: [Substring], found: [Substring]) -> String {
    let start = zip(expected, found).prefix { $0.utf8.elementsEqual($1.utf8) }.count
    let end = zip(expected[start...].reversed(), found[start...].reversed())
      .prefix { $0.utf8.elementsEqual($1.utf8) }.count
    let removed = expected[start..<(expected.count - end)].map { "- \($0)\n" }
    let added = found[start..<(found.count - end)].map { "+ \($0)\n" }
    return (["line \(start + 1):\n"] + removed + added).joined()
  }
}
