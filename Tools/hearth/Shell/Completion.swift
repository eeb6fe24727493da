/// The completions of a word that is being typed.
package struct Completion {
  /// The most candidates that are listed.
  private static let listedCount = 100

  /// The part of the word that is typed already.
  package let typed: String
  /// The words that begin with it, sorted.
  package let candidates: [String]

  package init(typed: String, candidates: some Sequence<String>) {
    self.typed = typed
    let fitting = candidates.filter { $0.utf8.starts(with: typed.utf8) }
    self.candidates = Set(fitting).sorted()
  }

  /// The text to insert at the cursor; `nil` if the candidates have no more in common.
  package var insertion: String? {
    guard let first = candidates.first else { return nil }
    var common = first[...]
    for candidate in candidates {
      while !candidate.hasPrefix(common) { common = common.dropLast() }
    }
    let rest = String(common.dropFirst(typed.count))
    guard candidates.count == 1 else { return rest.isEmpty ? nil : rest }
    // A path goes on.
    return first.hasSuffix("/") ? (rest.isEmpty ? nil : rest) : rest + " "
  }

  /// The candidates in columns.
  package func list(width: Int) -> String {
    let shown = candidates.prefix(Completion.listedCount).map(\.printable)
    let column = (shown.map(\.displayWidth).max() ?? 0) + 2
    let count = max(width / column, 1)
    var text = ""
    for (place, candidate) in shown.enumerated() {
      let isLast = place % count == count - 1 || place == shown.count - 1
      let padding = String(repeating: " ", count: max(column - candidate.displayWidth, 0))
      text += isLast ? candidate + "\n" : candidate + padding
    }
    let more = candidates.count - shown.count
    return more > 0 ? text + "and \(Figure.count(more)) more\n" : text
  }
}
