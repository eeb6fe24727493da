package import Foundation

/// A golden file of commands and their answers:
///
///     # A line that begins with # is kept as it is.
///     $ a command
///     its answer
///
///     $ another \
///       over two lines
///     its answer
///
/// An answer ends before the next command or comment; empty lines at its end don't count.
package enum GoldenScript {
  private enum Part {
    case comment(Substring)
    case command([Substring])
  }

  /// Runs every command of the file at `path` below `folder` and returns the differences from the
  /// answers there; `nil` if there are none. `HEARTH_REWRITE=1` writes the answers instead.
  ///
  /// - Parameter evaluate: a closure that answers one command, given without `$` and in one line.
  package static func difference(
    in path: String, folder: URL = Golden.folder, isRewriting: Bool = Golden.isRewriting,
    evaluate: (String) async throws -> String
  ) async throws -> String? {
    let file = folder.appending(path: path)
    let script = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    var text = ""
    for part in parts(of: script) {
      switch part {
      case .comment(let line):
        text += line + "\n"
      case .command(let lines):
        let command = lines.map { $0.hasSuffix("\\") ? $0.dropLast() : $0 }.joined()
        var answer = try await evaluate(String(command.dropFirst(2)))
        while answer.last?.isNewline == true { answer.removeLast() }
        text += lines.joined(separator: "\n") + "\n" + answer + (answer.isEmpty ? "\n" : "\n\n")
      }
    }
    while text.hasSuffix("\n\n") { text.removeLast() }
    return try Golden.difference(of: text, from: path, in: folder, isRewriting: isRewriting)
  }

  private static func parts(of script: String) -> [Part] {
    var parts: [Part] = []
    var lines = script.split(separator: "\n", omittingEmptySubsequences: false)[...]
    while let line = lines.popFirst() {
      if line.hasPrefix("#") {
        parts.append(.comment(line))
      } else if line.hasPrefix("$ ") {
        var command = [line]
        while command.last?.hasSuffix("\\") == true, let next = lines.popFirst() {
          command.append(next)
        }
        parts.append(.command(command))
      } else if parts.allSatisfy({ if case .comment = $0 { true } else { false } }), line.isEmpty {
        // Empty lines between the comments at the beginning.
        parts.append(.comment(line))
      }
    }
    return parts
  }
}
